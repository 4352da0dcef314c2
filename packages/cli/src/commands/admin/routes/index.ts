import { type AnyCommand, defineCommand } from "../../../command.ts";
import { routesBelowCost } from "./below-cost.ts";
import { routesList } from "./list.ts";
import { routesOrder } from "./order.ts";
import { routesOwnKeyFee } from "./own-key-fee.ts";
import { routesRemove } from "./remove.ts";
import { routesSet } from "./set.ts";

/** The commands of `admin routes`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(routesList),
  defineCommand(routesSet),
  defineCommand(routesRemove),
  defineCommand(routesOrder),
  defineCommand(routesOwnKeyFee),
  defineCommand(routesBelowCost),
];
