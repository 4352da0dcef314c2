import type { FastifyRequest } from "fastify";
import type { Handlers, ResponseOf } from "../../platform/core/http/handlers.ts";
import { matchLanguage, type TranslateText } from "../../platform/core/languages/languages.ts";
import type { SavedSetting, SavedSettingsRepository } from "./saved-settings.repository.ts";
import type { SettingsAdministration } from "./settings.usecases.ts";

type Response = ResponseOf<"admin.settings">;

type Deps = {
  savedSettingsRepository: SavedSettingsRepository;
  settingsAdministration: SettingsAdministration;
  /** Returns the settings of this server without secrets, and what was saved for them. */
  describeSettings(saved: readonly SavedSetting[]): Omit<Response, "payments_check">;
  translateText: TranslateText;
  /** Returns the latest comparison of payments with the payment service; null without one. */
  readPaymentsCheck(): Promise<Response["payments_check"] | null>;
};

/** Routes of the settings of the server, for admins. */
export function settingsRoutes(deps: Deps): Handlers {
  const { savedSettingsRepository, settingsAdministration, describeSettings, translateText, readPaymentsCheck } = deps;
  const describe = async ({ request }: { request: FastifyRequest }): Promise<Response> => {
    const language = matchLanguage(request.headers["accept-language"]) ?? "en";
    const { items, ...others } = describeSettings(await savedSettingsRepository.list());
    return {
      ...others,
      items: items.map((item) => ({ ...item, description: translateText(item.description, language) })),
      payments_check: (await readPaymentsCheck()) ?? null,
    };
  };
  return {
    "admin.settings": describe,
    "admin.saveSettings": async ({ actor, body, request }) => {
      await settingsAdministration.save(actor, body.values);
      return describe({ request });
    },
    "admin.restart": async ({ actor, reply }) => {
      await settingsAdministration.restart(actor);
      reply.code(202);
      return undefined;
    },
  };
}
