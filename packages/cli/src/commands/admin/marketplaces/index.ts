import { type AnyCommand, defineCommand } from "../../../command.ts";
import { marketplacesList } from "./list.ts";
import { marketplacesReject } from "./reject.ts";
import { marketplacesSettle } from "./settle.ts";

/** The commands of `admin marketplaces`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(marketplacesList),
  defineCommand(marketplacesSettle),
  defineCommand(marketplacesReject),
];
