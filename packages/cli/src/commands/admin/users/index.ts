import { type AnyCommand, entry } from "../../../command.ts";
import { usersGrantPlan, usersMakeAdmin, usersRestore, usersSuspend } from "./change.ts";
import { usersGrantCredits } from "./grant-credits.ts";
import { usersList } from "./list.ts";
import { usersShow } from "./show.ts";

export const commands: readonly AnyCommand[] = [
  entry(usersList),
  entry(usersShow),
  entry(usersSuspend),
  entry(usersRestore),
  entry(usersGrantPlan),
  entry(usersGrantCredits),
  entry(usersMakeAdmin),
];
