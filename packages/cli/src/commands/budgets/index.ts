import { type AnyCommand, defineCommand } from "../../command.ts";
import { budgetsDelete } from "./delete.ts";
import { budgetsSet } from "./set.ts";
import { budgetsShow } from "./show.ts";

/** The commands of `budgets`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(budgetsShow),
  defineCommand(budgetsSet),
  defineCommand(budgetsDelete),
];
