import { type AnyCommand, entry } from "../../../command.ts";
import { invitationsCreate } from "./create.ts";
import { invitationsList } from "./list.ts";
import { invitationsWithdraw } from "./withdraw.ts";

/** The commands of `admin invitations`. */
export const commands: readonly AnyCommand[] = [
  entry(invitationsList),
  entry(invitationsCreate),
  entry(invitationsWithdraw),
];
