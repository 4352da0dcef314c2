import type { SettingsCatalog } from "../insight/settings/index.ts";
import { type SettingDeclaration, SettingsError } from "../platform/core/settings.ts";
import { refuseInsecureStart } from "./exposure-report.ts";
import { listSettings, readSettings, type SavedValues, type Settings, traceSettings } from "./settings.ts";

/** Matches names of settings with secrets, where a declaration does not say whether it is one. */
export const SECRET_NAME = /SECRET|PASSWORD|TOKEN|CREDENTIAL|_KEY$/;

/** Where a server reads its settings from. */
export type SettingsPlace = {
  env: Record<string, string | undefined>;
  /** The folder of `feather.config.yaml`. */
  folder: string;
  /** What admins had saved when the server started. */
  saved: SavedValues;
};

/** Returns whether the value of a setting must not be shown. */
export const isSecretSetting = ({ secret, env }: SettingDeclaration) => secret ?? SECRET_NAME.test(env);

/** Creates what is known about the settings of a running server. */
export function createSettingsCatalog({ env, folder, saved }: SettingsPlace): SettingsCatalog {
  const settings = new Map(listSettings().map((setting) => [setting.env, setting]));
  return {
    find(name) {
      const setting = settings.get(name);
      return setting ? { isEditable: setting.editable === true, isSecret: isSecretSetting(setting) } : null;
    },
    sourceOf: traceSettings(env, folder, saved),
    findProblems: (values) => findProblems({ env, folder, saved: values }),
  };
}

/** Reads all settings of a server, whose database is open. Throws a SettingsError if it must not start with them. */
export function readAllSettings(place: SettingsPlace): Settings {
  try {
    return readSafeSettings(place);
  } catch (error) {
    throw error instanceof SettingsError ? nameSavedOnes(error, place) : error;
  }
}

/** Adds to an error which settings admins saved, and how the operator removes one. */
function nameSavedOnes(error: SettingsError, { env, folder, saved }: SettingsPlace): SettingsError {
  const sourceOf = traceSettings(env, folder, saved);
  const names = [...saved.keys()].filter((name) => sourceOf(name) === "saved");
  if (names.length === 0) return error;
  const remedy = "To remove one: npx node packages/server/src/commands/remove-setting.ts NAME";
  return new SettingsError(`${error.message}\nAdmins saved ${names.join(", ")}. ${remedy}`, error.problems);
}

function readSafeSettings({ env, folder, saved }: SettingsPlace): Settings {
  const settings = readSettings(env, folder, saved);
  refuseInsecureStart(settings);
  return settings;
}

/** Returns the problems with which a server does not start. */
function findProblems(place: SettingsPlace): readonly string[] {
  try {
    readSafeSettings(place);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}
