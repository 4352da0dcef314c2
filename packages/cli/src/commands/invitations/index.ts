import { type AnyCommand, defineCommand } from "../../command.ts";
import { invitationsCreate } from "./create.ts";
import { invitationsList } from "./list.ts";
import { invitationsResend } from "./resend.ts";
import { invitationsWithdraw } from "./withdraw.ts";

/** The commands of `invitations`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(invitationsList),
  defineCommand(invitationsCreate),
  defineCommand(invitationsResend),
  defineCommand(invitationsWithdraw),
];
