import type { Feather } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { createStreamStyle } from "../../output/io.ts";

/** The model that comes with the platform and answers questions about it. */
export const GUIDE_MODEL_ID = "feather/guide";
const DEMO_MODEL_ID = "feather/demo";
/** How many warm models are searched for one that the caller may use. */
const WARM_MODELS_PAGE_SIZE = 50;

/** Explains the guide when it is used for lack of a larger model. */
export const GUIDE_NOTICE = [
  `${GUIDE_MODEL_ID} is a small model that answers questions about Feather, and nothing else.`,
  "A larger one: start Ollama, vLLM or llama-server beside the server, or feather run <id>, or name one with -m.",
];

/** Returns the id of the default model: a warm one that the caller may use, else the guide. Throws when no model is warm. */
export async function findDefaultModel(client: Feather, signal: AbortSignal): Promise<string> {
  const { items } = await client.models.list({ availability: "warm", perPage: WARM_MODELS_PAGE_SIZE }, { signal });
  const callable = items.filter((model) => model.available_on_current_plan !== false);
  const capable = callable.find(({ id }) => id !== GUIDE_MODEL_ID && id !== DEMO_MODEL_ID);
  const found = capable ?? callable.find(({ id }) => id === GUIDE_MODEL_ID) ?? callable[0];
  if (found === undefined) throw new Error("no model answers just now; name another with -m, from feather models list");
  return found.id;
}

/** Returns the model given or the default one. At a terminal, explains the guide when it is the default. */
export async function resolveModel(
  { io, flags, output, signal }: Context,
  client: Feather,
  modelId?: string,
): Promise<string> {
  const model = modelId ?? (await findDefaultModel(client, signal));
  if (modelId === undefined && model === GUIDE_MODEL_ID && io.stderr.isTTY === true && output.tty && !output.json) {
    const style = createStreamStyle(io.stderr, io, flags);
    for (const line of GUIDE_NOTICE) io.stderr.write(`${style.dim(line)}\n`);
  }
  return model;
}
