import { type AnyCommand, defineCommand } from "../../command.ts";
import { open } from "./open.ts";

/** The commands of `open`. */
export const commands: readonly AnyCommand[] = [defineCommand(open)];
