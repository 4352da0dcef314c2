import type { z } from "zod";
import type { EngineSandbox } from "../hosting/runtimes/index.ts";
import type { SavedSetting } from "../insight/settings/index.ts";
import type { ResponseOf } from "../platform/core/http/handlers.ts";
import type { SettingDeclaration } from "../platform/core/settings.ts";
import { defaultsByExposure } from "./exposure.ts";
import { createExposureReport } from "./exposure-report.ts";
import { type ListedSetting, listSettings, type SavedValues, type Settings, type SourceOf } from "./settings.ts";
import { isSecretSetting, SECRET_NAME } from "./settings-catalog.ts";

type Response = ResponseOf<"admin.settings">;
type Item = Response["items"][number];

/** What is known about a running server besides the values of its settings. */
type ServerFacts = {
  engineSandbox: EngineSandbox;
  startedAt: Date;
  canRestart: boolean;
  /** The values that admins had saved when it started. */
  savedAtStart: SavedValues;
  sourceOf: SourceOf;
};

/**
 * Describes the settings, what admins saved for them, and the server's exposure for admins. Secrets are left out, or masked
 * within other values.
 */
export function describeSettings(
  settings: Settings,
  running: ServerFacts,
  saved: readonly SavedSetting[],
): Omit<Response, "payments_check"> {
  const exposure = createExposureReport(settings);
  const savedByName = new Map(saved.map((each) => [each.name, each]));
  const context = { settings, running, exposureDefaults: defaultsByExposure(exposure.isExposed) };
  const items = listSettings().map((setting) => toItem(setting, context, savedByName.get(setting.env)));
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
    engine_sandbox: running.engineSandbox.state,
    started_at: running.startedAt.toISOString(),
    needs_restart: items.some((item) => item.saved?.needs_restart === true),
    can_restart: running.canRestart,
    items,
  };
}

type ItemContext = {
  settings: Settings;
  running: ServerFacts;
  exposureDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

function toItem(
  setting: ListedSetting,
  { settings, running: { sourceOf, savedAtStart }, exposureDefaults }: ItemContext,
  saved: SavedSetting | undefined,
): Item {
  const { group, name, env, doc, editable, defaultByExposure } = setting;
  const values: Readonly<Record<string, unknown>> = settings[group];
  const value = values[name];
  const isSecret = isSecretSetting(setting);
  const source = sourceOf(env);
  const isElsewhere = source === "environment" || source === "file";
  return {
    name: env,
    description: doc,
    value: isSecret ? null : formatValue(value),
    is_secret: isSecret,
    is_default: defaultByExposure
      ? JSON.stringify(value) === JSON.stringify(exposureDefaults[group]?.[name])
      : isDefaultValue(value, setting),
    default_value: setting.default ?? formatValue(exposureDefaults[group]?.[name]),
    group,
    source,
    input: withoutUnusable(toInput(setting.schema), setting, sourceOf),
    is_editable: editable === true && !isElsewhere,
    saved:
      saved && editable === true ? toSavedDto(saved, { isSecret, isElsewhere, atStart: savedAtStart.get(env) }) : null,
  };
}

function toSavedDto(
  { value, previousValue, savedAt, savedBy }: SavedSetting,
  { isSecret, isElsewhere, atStart }: { isSecret: boolean; isElsewhere: boolean; atStart: string | undefined },
): Item["saved"] {
  return {
    value: isSecret ? null : value,
    is_set: value !== null,
    previous_value: isSecret ? null : previousValue,
    needs_restart: !isElsewhere && (value ?? undefined) !== atStart,
    saved_at: savedAt.toISOString(),
    saved_by: savedBy,
  };
}

/** Returns the form of a value by the schema that checks it. */
function toInput(schema: z.core.$ZodType): Item["input"] {
  const { def } = schema._zod;
  if (def.type === "optional") return toInput((def as z.core.$ZodOptionalDef).innerType);
  if (def.type === "number") return { kind: "number", options: [] };
  if (def.type === "pipe") {
    const { in: input } = def as z.core.$ZodPipeDef;
    return input._zod.def.type === "transform" ? { kind: "json", options: [] } : toInput(input);
  }
  if (def.type !== "enum") return { kind: "text", options: [] };
  const options = Object.values((def as z.core.$ZodEnumDef).entries).map(String);
  return options.includes("on") && options.includes("true")
    ? { kind: "switch", options: [] }
    : { kind: "choice", options };
}

/** Leaves out the options that need another setting which is not set. */
function withoutUnusable(
  input: Item["input"],
  { optionsNeed = {} }: SettingDeclaration,
  sourceOf: SourceOf,
): Item["input"] {
  const isUsable = (option: string) => {
    const needed = optionsNeed[option];
    return needed === undefined || sourceOf(needed) !== "default";
  };
  return { ...input, options: input.options.filter(isUsable) };
}

function isDefaultValue(value: unknown, { schema, default: fallback }: SettingDeclaration): boolean {
  return JSON.stringify(value) === JSON.stringify(fallback === undefined ? undefined : schema.parse(fallback));
}

function formatValue(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return withoutCredentials(value);
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(",");
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
