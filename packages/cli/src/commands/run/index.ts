import { type AnyCommand, defineCommand } from "../../command.ts";
import { run } from "./run.ts";

/** The commands of `run`. */
export const commands: readonly AnyCommand[] = [defineCommand(run)];
