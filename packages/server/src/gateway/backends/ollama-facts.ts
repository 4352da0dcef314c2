import { isRecord } from "../reported-usage.ts";
import { parseParameterCount } from "./parameter-count.ts";

/** What Ollama says of a model: context in tokens and size in parameters; null if not known. */
export type OllamaFacts = { readonly contextLength: number | null; readonly parameterSize: number | null };

/**
 * The contexts that models are loaded with, by the digest of the model, as far as their description says it. A model that
 * changes gets another digest.
 */
export type ShownContexts = Map<string, number | null>;

/** Requests a path of Ollama's own API, with a body by POST. Returns the JSON of an answer with status 200, otherwise null. */
export type AskOllama = (path: string, body?: object) => Promise<unknown>;

type Tag = { name: string; digest: string; parameterSize: number | null };

/** Returns whether an Ollama answers: none of the other programs has its `/api/version`. */
export async function isOllama(ask: AskOllama): Promise<boolean> {
  const answer = await ask("/api/version");
  return isRecord(answer) && typeof answer.version === "string";
}

/**
 * Returns what Ollama says of its models, by their names. A running model has the context it was loaded with; another one
 * that of its `num_ctx`. Without either, the context depends on the machine and is not known before the model runs.
 */
export async function readOllamaFacts(ask: AskOllama, shown: ShownContexts): Promise<ReadonlyMap<string, OllamaFacts>> {
  const [tagAnswer, running] = await Promise.all([ask("/api/tags"), ask("/api/ps")]);
  const tags = listRecords(tagAnswer).flatMap(toTag);
  const runningContexts = new Map(listRecords(running).map(({ name, context_length }) => [name, context_length]));
  await readShown(ask, tags, shown);
  return new Map(
    tags.map(({ name, digest, parameterSize }) => {
      const contextLength = toTokens(runningContexts.get(name)) ?? shown.get(digest) ?? null;
      return [name, { contextLength, parameterSize }];
    }),
  );
}

function toTag({ name, digest, details }: Record<string, unknown>): Tag[] {
  if (typeof name !== "string") return [];
  const parameterSize = isRecord(details) ? parseParameterCount(details.parameter_size) : null;
  return [{ name, digest: typeof digest === "string" ? digest : name, parameterSize }];
}

/** Asks for the descriptions that are not known yet, and forgets those of models that are gone. */
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

/** Returns the model's `num_ctx`, which Ollama limits to the context that the model was trained with. */
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
