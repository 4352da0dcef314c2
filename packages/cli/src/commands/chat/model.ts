import type { Feather } from "@feather/sdk";

/** Comes with the platform and answers questions about it. */
export const GUIDE = "feather/guide";
const DEMO = "feather/demo";
/** More warm models than this are not looked at for one that may be called. */
const LOOKED_AT = 50;

/** What is said where the guide answers because there is nothing larger. */
export const ABOUT_GUIDE = [
  `${GUIDE} is a small model that answers questions about Feather, and nothing else.`,
  "A larger one: start Ollama, vLLM or llama-server beside the server, or feather models pull <id>, or name one with -m.",
];

/** The model to talk to when none was named: a real one that answers now and may be called, else the guide. */
export async function defaultModel(client: Feather, signal: AbortSignal): Promise<string> {
  const { items } = await client.models.list({ availability: "warm", perPage: LOOKED_AT }, { signal });
  const callable = items.filter((model) => model.available_on_current_plan !== false);
  const real = callable.find(({ id }) => id !== GUIDE && id !== DEMO);
  const found = real ?? callable.find(({ id }) => id === GUIDE) ?? callable[0];
  if (found === undefined) throw new Error("no model answers just now; name another with -m, from feather models list");
  return found.id;
}
