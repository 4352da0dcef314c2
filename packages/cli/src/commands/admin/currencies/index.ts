import { type AnyCommand, defineCommand } from "../../../command.ts";
import { currenciesList } from "./list.ts";
import { currenciesRemove } from "./remove.ts";
import { currenciesSet } from "./set.ts";

/** The commands of `admin currencies`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(currenciesList),
  defineCommand(currenciesSet),
  defineCommand(currenciesRemove),
];
