import { type AnyCommand, defineCommand } from "../../../command.ts";
import { pricesList } from "./list.ts";
import { pricesSet } from "./set.ts";

/** The commands of `admin prices`. */
export const commands: readonly AnyCommand[] = [defineCommand(pricesList), defineCommand(pricesSet)];
