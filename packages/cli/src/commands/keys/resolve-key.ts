import type { ApiKey } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { findByName } from "../../find-by-name.ts";
import { maskSecret } from "./key.ts";

/** The argument that names a key. */
export const KEY_ARGUMENT = {
  name: "[key]",
  summary: "its name or id; you are asked at a terminal",
  values: "keys",
} as const;

/** Returns the id of a key given by id or name, or lets the person pick one. Throws `UsageError` and `ResourceNotFoundError`. */
export async function resolveKeyId(context: Context, nameOrId: string): Promise<string> {
  const { interactive, io, pick } = context;
  if (nameOrId.startsWith("key_")) return nameOrId;
  if (nameOrId !== "")
    return findByName(nameOrId, await listAllKeys(context), { noun: "key", list: "feather keys list" }).id;
  const alternative = "the key's name or id: feather keys list";
  if (!interactive) return pick("Key", [], alternative);
  const keys = await listAllKeys(context);
  if (keys.length === 0) throw new UsageError("there are no keys yet", "feather keys create <name>");
  const choices = keys.map((key) => ({ label: key.name, note: maskSecret(key, io.env.unicode), value: key.id }));
  return pick("Key", choices, alternative);
}

async function listAllKeys({ client, signal }: Context): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  for await (const key of (await client()).apiKeys.list({ perPage: 100 }, { signal })) keys.push(key);
  return keys;
}
