import { type AnyCommand, defineCommand } from "../../../command.ts";
import { backendsAdd } from "./add.ts";
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
];
