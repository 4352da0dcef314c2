import { type AnyCommand, defineCommand } from "../../../command.ts";
import { settingsList } from "./list.ts";
import { settingsRestart } from "./restart.ts";
import { settingsSet } from "./set.ts";
import { settingsUnset } from "./unset.ts";

/** The commands of `admin settings`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(settingsList),
  defineCommand(settingsSet),
  defineCommand(settingsUnset),
  defineCommand(settingsRestart),
];
