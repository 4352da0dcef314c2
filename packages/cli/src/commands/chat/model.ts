import type { Feather } from "@feather/sdk";

const DEMO = "feather/demo";

/** The model to talk to when none was named: the demonstration model, else the first one that answers now. */
export async function defaultModel(client: Feather, signal: AbortSignal): Promise<string> {
  const { isNotFound } = await import("@feather/sdk");
  const demo = await client.models.get(DEMO, {}, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
  if (demo !== null && demo.availability.tier !== "offline") return DEMO;
  const { items } = await client.models.list({ availability: "warm", perPage: 1 }, { signal });
  const [first] = items;
  if (first === undefined) throw new Error("no model answers just now; name another with -m, from feather models list");
  return first.id;
}
