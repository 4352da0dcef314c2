import { type AnyCommand, defineCommand } from "../../command.ts";
import { chat } from "./chat.ts";

/** The commands of `chat`. */
export const commands: readonly AnyCommand[] = [defineCommand(chat)];
