import { type AnyCommand, defineCommand } from "../../command.ts";
import { providerKeysList } from "./list.ts";
import { providerKeysRemove } from "./remove.ts";
import { providerKeysSet } from "./set.ts";
import { providerKeysTest } from "./test.ts";

/** The commands of `provider-keys`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(providerKeysList),
  defineCommand(providerKeysSet),
  defineCommand(providerKeysTest),
  defineCommand(providerKeysRemove),
];
