import type { ApiKey } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { findByName } from "../../find-by-name.ts";
import { pickItem } from "../../pick-item.ts";
import { maskSecret } from "./key.ts";

/** The argument that names a key. */
export const KEY_ARGUMENT = {
  name: "[key]",
  summary: "its name or id; you are asked at a terminal",
  values: "keys",
} as const;

/** Returns the id of a key given by id or name, or lets the person pick one. Throws `UsageError` and `ResourceNotFoundError`. */
export async function resolveKeyId(context: Context, nameOrId: string): Promise<string> {
  if (nameOrId.startsWith("key_")) return nameOrId;
  if (nameOrId !== "")
    return findByName(nameOrId, await listAllKeys(context), { noun: "key", list: "feather keys list" }).id;
  const { unicode } = context.io.env;
  return pickItem(context, {
    label: "Key",
    alternative: "the key's name or id: feather keys list",
    empty: ["there are no keys yet", "feather keys create <name>"],
    list: () => listAllKeys(context),
    toChoice: (key) => ({ label: key.name, note: maskSecret(key, unicode), value: key.id }),
  });
}

async function listAllKeys({ client, signal }: Context): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  for await (const key of (await client()).apiKeys.list({ perPage: 100 }, { signal })) keys.push(key);
  return keys;
}
