import { type AnyCommand, defineCommand } from "../../../command.ts";
import { usersAdvanceTime } from "./advance-time.ts";
import { usersApprove, usersRefuse } from "./approval.ts";
import { usersMakeAdmin, usersRestore, usersSuspend } from "./change.ts";
import { usersGrantCredits } from "./grant-credits.ts";
import { usersGrantPlan } from "./grant-plan.ts";
import { usersList } from "./list.ts";
import { usersResetSecondFactor } from "./reset-second-factor.ts";
import { usersShow } from "./show.ts";

/** The commands of `admin users`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(usersList),
  defineCommand(usersShow),
  defineCommand(usersApprove),
  defineCommand(usersRefuse),
  defineCommand(usersSuspend),
  defineCommand(usersRestore),
  defineCommand(usersGrantPlan),
  defineCommand(usersGrantCredits),
  defineCommand(usersAdvanceTime),
  defineCommand(usersMakeAdmin),
  defineCommand(usersResetSecondFactor),
];
