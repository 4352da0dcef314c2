import { type AnyCommand, defineCommand } from "../../../command.ts";
import { marketplacesList } from "./list.ts";
import { marketplacesMetersList, marketplacesMetersRemove, marketplacesMetersSet } from "./meters.ts";
import { marketplacesPayoutsList, marketplacesPayoutsRecord, marketplacesPayoutsReverse } from "./payouts.ts";
import { marketplacesReject } from "./reject.ts";
import { marketplacesSettle } from "./settle.ts";
import { marketplacesUsage } from "./usage.ts";

/** The commands of `admin marketplaces`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(marketplacesList),
  defineCommand(marketplacesSettle),
  defineCommand(marketplacesReject),
  defineCommand(marketplacesMetersList),
  defineCommand(marketplacesMetersSet),
  defineCommand(marketplacesMetersRemove),
  defineCommand(marketplacesUsage),
  defineCommand(marketplacesPayoutsList),
  defineCommand(marketplacesPayoutsRecord),
  defineCommand(marketplacesPayoutsReverse),
];
