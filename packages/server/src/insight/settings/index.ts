import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { createSavedSettingsRepository } from "./saved-settings.repository.ts";
import { settingsRoutes } from "./settings.routes.ts";
import { createSettingsAdministration, type SettingsCatalog } from "./settings.usecases.ts";

type Ports = {
  db: Database;
  audit: Audit;
  clock: Clock;
  savedSettingsSealer: Sealer;
  settingsCatalog: SettingsCatalog;
  /** Starts the server again; null where something else has to. */
  restart: (() => void) | null;
} & Pick<Parameters<typeof settingsRoutes>[0], "describeSettings" | "readPaymentsCheck" | "translateText">;

/** Creates the settings of the server that admins see and save. */
export function createSettingsModule(ports: Ports) {
  const savedSettingsRepository = createSavedSettingsRepository(ports);
  const { settingsCatalog: catalog } = ports;
  const settingsAdministration = createSettingsAdministration({ ...ports, savedSettingsRepository, catalog });
  return { routes: settingsRoutes({ ...ports, savedSettingsRepository, settingsAdministration }), jobs: [], api: {} };
}

export { readSavedValues, removeSavedValue, type SavedSetting } from "./saved-settings.repository.ts";
export type { SettingsCatalog } from "./settings.usecases.ts";
