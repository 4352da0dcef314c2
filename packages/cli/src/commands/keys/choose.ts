import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { masked } from "./key.ts";

/** The key that was named; at a terminal, the one that the person picks. */
export async function chosenKey({ client, interactive, io, pick, signal }: Context, id: string): Promise<string> {
  if (id !== "") return id;
  const instead = "the key's id: feather keys list";
  if (!interactive) return pick("Key", [], instead);
  const { items } = await (await client()).apiKeys.list({ perPage: 100 }, { signal });
  if (items.length === 0) throw new UsageError("there are no keys yet", "feather keys create <name>");
  const choices = items.map((key) => ({ label: key.name, note: masked(key, io.env.unicode), value: key.id }));
  return pick("Key", choices, instead);
}
