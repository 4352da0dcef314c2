import { type AnyCommand, defineCommand } from "../../command.ts";
import { profileList } from "./list.ts";
import { profileRemove } from "./remove.ts";
import { profileUse } from "./use.ts";

/** The commands of `profile`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(profileList),
  defineCommand(profileUse),
  defineCommand(profileRemove),
];
