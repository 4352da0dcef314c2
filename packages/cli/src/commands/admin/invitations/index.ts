import { type AnyCommand, defineCommand } from "../../../command.ts";
import { invitationsCreate } from "./create.ts";
import { invitationsList } from "./list.ts";
import { invitationsWithdraw } from "./withdraw.ts";

/** The commands of `admin invitations`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(invitationsList),
  defineCommand(invitationsCreate),
  defineCommand(invitationsWithdraw),
];
