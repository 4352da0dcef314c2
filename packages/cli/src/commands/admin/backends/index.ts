import { type AnyCommand, defineCommand } from "../../../command.ts";
import { backendsAdd } from "./add.ts";
import { backendKeysAdd } from "./keys/add.ts";
import { backendKeysList } from "./keys/list.ts";
import { backendKeysRemove } from "./keys/remove.ts";
import { backendKeysUpdate } from "./keys/update.ts";
import { backendsList } from "./list.ts";
import { backendsRemove } from "./remove.ts";
import { backendsTest } from "./test.ts";
import { backendsUpdate } from "./update.ts";

/** The commands of `admin backends`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(backendsList),
  defineCommand(backendsAdd),
  defineCommand(backendsUpdate),
  defineCommand(backendsTest),
  defineCommand(backendsRemove),
  defineCommand(backendKeysList),
  defineCommand(backendKeysAdd),
  defineCommand(backendKeysUpdate),
  defineCommand(backendKeysRemove),
];
