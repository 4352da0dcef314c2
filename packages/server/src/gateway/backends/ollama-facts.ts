import { isRecord } from "../usage/reported-usage.ts";
import { parseParameterCount } from "./parameter-count.ts";

/** The context of a model in tokens, its number of parameters and the format of its weights, from Ollama; null if unknown. */
export type OllamaFacts = {
  readonly contextLength: number | null;
  readonly parameterSize: number | null;
  readonly quantization: string | null;
};

/**
 * The context that each model is loaded with according to its description, by the model's digest. A changed model has
 * another digest.
 */
export type ShownContexts = Map<string, number | null>;

/**
 * Sends a request to Ollama's own API, by POST if there is a body. Returns the JSON of a response with status 200,
 * otherwise null.
 */
export type AskOllama = (path: string, body?: object) => Promise<unknown>;

type Tag = Omit<OllamaFacts, "contextLength"> & { name: string; digest: string };

/** Returns whether the address is an Ollama: no other program has `/api/version`. */
export async function isOllama(ask: AskOllama): Promise<boolean> {
  const answer = await ask("/api/version");
  return isRecord(answer) && typeof answer.version === "string";
}

/**
 * Returns the sizes of Ollama's models, by name. A running model has the context that it was loaded with; another one has
 * its `num_ctx`. Without that, its context depends on the machine and is unknown until the model runs.
 */
export async function readOllamaFacts(ask: AskOllama, shown: ShownContexts): Promise<ReadonlyMap<string, OllamaFacts>> {
  const [tagAnswer, running] = await Promise.all([ask("/api/tags"), ask("/api/ps")]);
  const tags = listRecords(tagAnswer).flatMap(toTag);
  const runningContexts = new Map(listRecords(running).map(({ name, context_length }) => [name, context_length]));
  await readShown(ask, tags, shown);
  return new Map(
    tags.map(({ name, digest, parameterSize, quantization }) => {
      const contextLength = toTokens(runningContexts.get(name)) ?? shown.get(digest) ?? null;
      return [name, { contextLength, parameterSize, quantization }];
    }),
  );
}

function toTag({ name, digest, details }: Record<string, unknown>): Tag[] {
  if (typeof name !== "string") return [];
  const { parameter_size, quantization_level: level } = isRecord(details) ? details : {};
  return [
    {
      name,
      digest: typeof digest === "string" ? digest : name,
      parameterSize: parseParameterCount(parameter_size),
      quantization: typeof level === "string" ? level : null,
    },
  ];
}

/** Reads the descriptions of models that are not in `shown` yet, and removes those of deleted models. */
async function readShown(ask: AskOllama, tags: readonly Tag[], shown: ShownContexts): Promise<void> {
  const current = new Map(tags.map(({ name, digest }) => [digest, name]));
  for (const digest of shown.keys()) if (!current.has(digest)) shown.delete(digest);
  await Promise.all(
    [...current].map(async ([digest, model]) => {
      if (shown.has(digest)) return;
      const description = await ask("/api/show", { model });
      if (isRecord(description)) shown.set(digest, readConfiguredContext(description));
    }),
  );
}

/** Returns the model's `num_ctx`, which Ollama limits to the context that the model was trained with; null without one. */
function readConfiguredContext({ parameters, model_info }: Record<string, unknown>): number | null {
  const line = typeof parameters === "string" ? /^num_ctx\s+"?(\d{1,9})"?\s*$/m.exec(parameters) : null;
  const configured = toTokens(Number(line?.[1]));
  const info = isRecord(model_info) ? model_info : {};
  const trained = toTokens(info[`${String(info["general.architecture"])}.context_length`]);
  return configured !== null && trained !== null ? Math.min(configured, trained) : configured;
}

function toTokens(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function listRecords(answer: unknown): Record<string, unknown>[] {
  return isRecord(answer) && Array.isArray(answer.models) ? answer.models.filter(isRecord) : [];
}
