import type { Context } from "../../context.ts";
import { NotThereError, UsageError } from "../../errors.ts";
import { nearest } from "../../suggest.ts";
import { type ApiKey, masked } from "./key.ts";

/** The argument that names a key. */
export const KEY_ARGUMENT = {
  name: "[key]",
  summary: "its name or id; you are asked at a terminal",
  values: "keys",
} as const;

/** Returns the id of a key given by id or name, or lets the person pick one. Throws `UsageError` and `ResourceNotFoundError`. */
export async function chosenKey(context: Context, given: string): Promise<string> {
  const { interactive, io, pick } = context;
  if (given.startsWith("key_")) return given;
  if (given !== "") return keyCalled(given, await allKeys(context));
  const instead = "the key's name or id: feather keys list";
  if (!interactive) return pick("Key", [], instead);
  const keys = await allKeys(context);
  if (keys.length === 0) throw new UsageError("there are no keys yet", "feather keys create <name>");
  const choices = keys.map((key) => ({ label: key.name, note: masked(key, io.env.unicode), value: key.id }));
  return pick("Key", choices, instead);
}

async function allKeys({ client, signal }: Context): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  for await (const key of (await client()).apiKeys.list({ perPage: 100 }, { signal })) keys.push(key);
  return keys;
}

/** Returns the id of the only key with this name. Throws `UsageError` when several have it. */
function keyCalled(name: string, keys: readonly ApiKey[]): string {
  const [found, another] = keys.filter((key) => key.name === name);
  if (another !== undefined)
    throw new UsageError(`several keys are called ${name}`, "the id of one of them: feather keys list");
  if (found !== undefined) return found.id;
  const [close] = nearest(
    name,
    keys.map((key) => key.name),
  );
  throw new NotThereError(
    `there is no key called ${name}`,
    close === undefined ? "feather keys list" : `did you mean ${close}?`,
  );
}
