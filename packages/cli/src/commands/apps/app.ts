import type { Schemas } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import type { Style } from "../../output/style.ts";

/** An OAuth application. */
export type App = Schemas["Application"];

/** Fields that `--json` accepts. */
export const APP_FIELDS = [
  "id",
  "name",
  "description",
  "homepage_url",
  "logo_url",
  "redirect_uris",
  "scopes",
  "client_type",
  "device_flow",
  "status",
  "verified",
  "owner",
  "created_at",
] as const satisfies readonly (keyof App)[];

/** The argument that names an application. */
export const APP_ARGUMENT = {
  name: "[id]",
  summary: "application; you are asked at a terminal",
  values: "apps",
} as const;

/** Colours the status of an application. */
export function paintStatus(text: string, style: Style, { status }: App): string {
  if (status === "active") return style.green(text);
  return status === "suspended" || status === "rejected" ? style.red(text) : style.amber(text);
}

/** Returns the id given, or lets the person pick an application. Throws `UsageError` when there is none, or nobody can be asked. */
export async function resolveAppId({ client, interactive, pick, signal }: Context, id: string): Promise<string> {
  if (id !== "") return id;
  const alternative = "the application's id: feather apps list";
  if (!interactive) return pick("Application", [], alternative);
  const { items } = await (await client()).applications.list({ signal });
  if (items.length === 0) throw new UsageError("there are no applications yet", "feather apps create <name>");
  const choices = items.map((app) => ({ label: app.name, note: app.status, value: app.id }));
  return pick("Application", choices, alternative);
}
