import type { Handlers, ResponseOf } from "../../platform/core/http/handlers.ts";
import type { SavedSetting, SavedSettingsRepository } from "./saved-settings.repository.ts";
import type { SettingsAdministration } from "./settings.usecases.ts";

type Response = ResponseOf<"admin.settings">;

type Deps = {
  savedSettingsRepository: SavedSettingsRepository;
  settingsAdministration: SettingsAdministration;
  /** Returns the settings of this server without secrets, and what was saved for them. */
  describeSettings(saved: readonly SavedSetting[]): Omit<Response, "payments_check">;
  /** Returns the latest comparison of payments with the payment service; null without one. */
  readPaymentsCheck(): Promise<Response["payments_check"] | null>;
};

/** Routes of the settings of the server, for admins. */
export function settingsRoutes(deps: Deps): Handlers {
  const { savedSettingsRepository, settingsAdministration, describeSettings, readPaymentsCheck } = deps;
  const describe = async (): Promise<Response> => ({
    ...describeSettings(await savedSettingsRepository.list()),
    payments_check: (await readPaymentsCheck()) ?? null,
  });
  return {
    "admin.settings": describe,
    "admin.saveSettings": async ({ actor, body }) => {
      await settingsAdministration.save(actor, body.values);
      return describe();
    },
    "admin.restart": async ({ actor, reply }) => {
      await settingsAdministration.restart(actor);
      reply.code(202);
      return undefined;
    },
  };
}
