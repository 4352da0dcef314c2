import { type AnyCommand, defineCommand } from "../../command.ts";
import { stop } from "./stop.ts";

/** The commands of `stop`. */
export const commands: readonly AnyCommand[] = [defineCommand(stop)];
