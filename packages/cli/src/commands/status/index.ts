import { type AnyCommand, defineCommand } from "../../command.ts";
import { statusShow } from "./show.ts";

/** The commands of `status`. */
export const commands: readonly AnyCommand[] = [defineCommand(statusShow)];
