import { type AnyCommand, defineCommand } from "../../command.ts";
import type { CommandGroup } from "../command-group.ts";
import { createCompleteCommand } from "./complete.ts";
import { completion } from "./completion.ts";

/** Returns the commands of `completion` and `complete`, which completes the commands of these groups. */
export function createCommands(groups: readonly CommandGroup[]): readonly AnyCommand[] {
  return [defineCommand(completion), defineCommand(createCompleteCommand(groups))];
}
