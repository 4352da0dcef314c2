import type { Application } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { findByName } from "../../find-by-name.ts";
import type { Style } from "../../output/style.ts";
import { pickItem } from "../../pick-item.ts";

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
] as const satisfies readonly (keyof Application)[];

/** The argument that names an application. */
export const APP_ARGUMENT = {
  name: "[application]",
  summary: "its name or id; you are asked at a terminal",
  values: "apps",
} as const;

/** Colours the status of an application. */
export function paintStatus(text: string, style: Style, { status }: Application): string {
  if (status === "active") return style.green(text);
  return status === "suspended" || status === "rejected" ? style.red(text) : style.amber(text);
}

/** Returns the id of an application given by id or name, or lets the person pick one. Throws `UsageError` and `ResourceNotFoundError`. */
export async function resolveAppId(context: Context, nameOrId: string): Promise<string> {
  const { client, signal } = context;
  if (nameOrId.startsWith("app_")) return nameOrId;
  const list = async () => (await (await client()).applications.list({ signal })).items;
  if (nameOrId !== "") return findByName(nameOrId, await list(), { noun: "application", list: "feather apps list" }).id;
  return pickItem(context, {
    label: "Application",
    alternative: "the application's name or id: feather apps list",
    empty: ["there are no applications yet", "feather apps create <name>"],
    list,
    toChoice: (app) => ({ label: app.name, note: app.status, value: app.id }),
  });
}
