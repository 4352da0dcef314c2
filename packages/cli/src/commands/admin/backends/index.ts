import { type AnyCommand, entry } from "../../../command.ts";
import { backendsAdd } from "./add.ts";
import { backendsList } from "./list.ts";
import { backendsRemove } from "./remove.ts";
import { backendsTest } from "./test.ts";

/** The commands of `admin backends`. */
export const commands: readonly AnyCommand[] = [
  entry(backendsList),
  entry(backendsAdd),
  entry(backendsTest),
  entry(backendsRemove),
];
