import type { EngineSandbox } from "../hosting/runtimes/index.ts";
import type { ResponseOf } from "../platform/core/http/handlers.ts";
import type { SettingDeclaration } from "../platform/core/settings.ts";
import { defaultsByExposure } from "./exposure.ts";
import { createExposureReport } from "./exposure-report.ts";
import { listSettings, type Settings } from "./settings.ts";

/** Matches names of settings with secrets, in case a declaration is not marked as secret. */
const SECRET_NAME = /SECRET|PASSWORD|TOKEN|CREDENTIAL|_KEY$/;

/** Describes the settings and the server's exposure for admins. Secrets are left out, or masked within other values. */
export function describeSettings(settings: Settings, engineSandbox: EngineSandbox): ResponseOf<"admin.settings"> {
  const exposure = createExposureReport(settings);
  const exposureDefaults: Record<string, Record<string, unknown>> = defaultsByExposure(exposure.isExposed);
  return {
    exposure: {
      is_exposed: exposure.isExposed,
      host: exposure.host,
      public_url: exposure.publicUrl,
      is_encrypted: exposure.isEncrypted,
      registration: exposure.registration,
      payments: exposure.payments,
      marketplaces: exposure.marketplaces,
      discovery: exposure.discovery,
    },
    engine_sandbox: engineSandbox.state,
    items: listSettings().map((setting) => {
      const { group, name, env, doc, secret, defaultByExposure } = setting;
      const values: Readonly<Record<string, unknown>> = settings[group];
      const value = values[name];
      const isSecret = secret === true || SECRET_NAME.test(env);
      return {
        name: env,
        description: doc,
        value: isSecret ? null : formatValue(value),
        is_secret: isSecret,
        is_default: defaultByExposure
          ? JSON.stringify(value) === JSON.stringify(exposureDefaults[group]?.[name])
          : isDefaultValue(value, setting),
      };
    }),
  };
}

function isDefaultValue(value: unknown, { schema, default: fallback }: SettingDeclaration): boolean {
  return JSON.stringify(value) === JSON.stringify(fallback === undefined ? undefined : schema.parse(fallback));
}

function formatValue(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return withoutCredentials(value);
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "object" ? JSON.stringify(value, maskSecrets) : String(value);
}

function maskSecrets(key: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  return SECRET_NAME.test(key.toUpperCase()) ? "…" : withoutCredentials(value);
}

/** Returns a URL with its user name and password masked. */
function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username === "" && url.password === "") return text;
  url.username = "…";
  url.password = "";
  return decodeURI(url.href);
}
