import { type AnyCommand, defineCommand } from "../../command.ts";
import { membersList } from "./list.ts";
import { membersRemove } from "./remove.ts";
import { membersSetRole } from "./set-role.ts";

/** The commands of `members`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(membersList),
  defineCommand(membersSetRole),
  defineCommand(membersRemove),
];
