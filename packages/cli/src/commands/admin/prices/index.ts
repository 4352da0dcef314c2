import { type AnyCommand, entry } from "../../../command.ts";
import { pricesList } from "./list.ts";
import { pricesSet } from "./set.ts";

export const commands: readonly AnyCommand[] = [entry(pricesList), entry(pricesSet)];
