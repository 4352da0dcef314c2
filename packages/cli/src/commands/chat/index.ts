import { type AnyCommand, entry } from "../../command.ts";
import { chat } from "./chat.ts";

export const commands: readonly AnyCommand[] = [entry(chat)];
