import type { Backend, Feather } from "@feather/sdk";
import type { Context } from "../../../context.ts";
import { pickItem } from "../../../pick-item.ts";

/** Fields that `--json` accepts. */
export const BACKEND_FIELDS = [
  "id",
  "name",
  "base_url",
  "models",
  "weight",
  "enabled",
  "source",
  "has_api_key",
  "state",
  "in_flight",
  "last_error",
  "checked_at",
] as const satisfies readonly (keyof Backend)[];

/** The argument that names a backend. */
export const BACKEND_ARGUMENT = {
  name: "[id]",
  summary: "id of the backend: feather admin backends list; you are asked at a terminal",
} as const;

/** Returns the id of a backend, or lets the person pick one. Throws `UsageError` when nobody can be asked. */
export async function resolveBackendId(context: Context, feather: Feather, id: string): Promise<string> {
  if (id !== "") return id;
  const { signal } = context;
  return pickItem(context, {
    label: "Backend",
    alternative: "the backend's id: feather admin backends list",
    empty: ["there are no backends yet", "feather admin backends add <name> <url>"],
    list: async () => (await feather.admin.backends.list({ signal })).items,
    toChoice: (backend) => ({ label: backend.name, note: backend.base_url, value: backend.id }),
  });
}
