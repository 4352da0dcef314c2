import { type AnyCommand, defineCommand } from "../../command.ts";
import type { CommandGroup } from "../command-group.ts";
import { aliasDelete } from "./delete.ts";
import { aliasList } from "./list.ts";
import { createAliasSet } from "./set.ts";

/** Creates the commands of `alias`, for a program with these groups of commands. */
export const createCommands = (groups: readonly CommandGroup[]): readonly AnyCommand[] => [
  defineCommand(aliasList),
  defineCommand(createAliasSet(groups)),
  defineCommand(aliasDelete),
];
