import type { ServerSetting, ServerSettings } from "@feather/sdk";
import type { Sent } from "@feather/sdk/msw";

/** A setting that admins can save, with its default. */
export const buildSetting = (fields: Partial<ServerSetting> = {}): ServerSetting => ({
  name: "FEATHER_PRODUCT_NAME",
  description: "Name shown in titles.",
  value: "Feather",
  is_secret: false,
  is_default: true,
  default_value: "Feather",
  group: "site",
  source: "default",
  input: { kind: "text", options: [] },
  is_editable: true,
  saved: null,
  ...fields,
});

/** The settings of a server that other machines can reach. */
export const buildSettings = (items: readonly ServerSetting[]): Sent<ServerSettings> => ({
  exposure: {
    is_exposed: true,
    host: "0.0.0.0",
    public_url: "http://192.168.1.5:4000",
    is_encrypted: false,
    registration: "invite",
    payments: "off",
    marketplaces: "off",
    discovery: false,
  },
  engine_sandbox: "not_installed",
  started_at: "2026-11-30T08:00:00Z",
  needs_restart: items.some(({ saved }) => saved?.needs_restart === true),
  can_restart: true,
  items: JSON.parse(JSON.stringify(items)) as Sent<ServerSettings>["items"],
});
