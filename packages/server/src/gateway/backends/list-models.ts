import { type Dispatcher, request } from "undici";
import { readLimited } from "../../core/http/read-limited.ts";
import { isRecord } from "../reported-usage.ts";
import { type Program, programOf } from "./dialects.ts";
import { parseParameterCount } from "./parameter-count.ts";

/** A model of a backend under the backend's own name. Context in tokens and size in parameters; null if not reported. */
export type ListedModel = {
  readonly name: string;
  readonly contextLength: number | null;
  readonly parameterSize: number | null;
};

/** The models of a backend, or a sentence for operators about why they could not be read. */
export type ModelsResult =
  | { ok: true; models: readonly ListedModel[]; program: Program }
  | { ok: false; error: string };

type RequestOptions = {
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  readonly dispatcher?: Dispatcher;
};

const TIMEOUT_MS = 1_500;
/** The lists of hosts with thousands of models have a few megabytes. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** Larger numbers are taken for errors. */
const MAX_CONTEXT_TOKENS = 1_000_000_000;
const NO_SIZES: ReadonlyMap<string, number> = new Map();

/** Requests `GET /models` from an OpenAI-compatible address, and the sizes of the models from Ollama. Never throws. */
export async function listModels(
  baseUrl: string,
  apiKey: string | undefined,
  timeoutMs = TIMEOUT_MS,
  dispatcher?: Dispatcher,
): Promise<ModelsResult> {
  const options = { apiKey, timeoutMs, ...(dispatcher && { dispatcher }) };
  const root = baseUrl.replace(/\/+$/, "");
  try {
    const { status, body } = await getJson(`${root}/models`, options);
    if (status !== 200) return failure(`It answered with status ${status}.`);
    if (!isRecord(body) || !Array.isArray(body.data))
      return failure("It answered, but not with a list of models as OpenAI's /v1/models gives it.");
    const entries = body.data.filter(isRecord);
    const program = programOf(entries[0]?.owned_by);
    const sizes = program === "ollama" ? await listOllamaSizes(root, options) : NO_SIZES;
    const models = entries.flatMap((entry) => {
      const { id: name } = entry;
      if (typeof name !== "string") return [];
      return [{ name, contextLength: readContextLength(entry), parameterSize: sizes.get(name) ?? readSize(entry) }];
    });
    return { ok: true, models, program };
  } catch (error) {
    return failure(describeError(error, timeoutMs));
  }
}

async function getJson(url: string, { apiKey, timeoutMs, dispatcher }: RequestOptions) {
  const response = await request(url, {
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(timeoutMs),
    ...(dispatcher && { dispatcher }),
  });
  const bytes = await readLimited(response.body, MAX_LIST_BYTES);
  return { status: response.statusCode, body: parseJson(bytes.toString("utf8")) };
}

/** Returns the value of a text; null if it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the sizes of Ollama's models, from its own API. Empty if it does not answer: sizes are then unknown. */
async function listOllamaSizes(root: string, options: RequestOptions): Promise<ReadonlyMap<string, number>> {
  const answer = await getJson(`${root.replace(/\/v1$/, "")}/api/tags`, options).catch(() => null);
  if (!isRecord(answer?.body) || !Array.isArray(answer.body.models)) return NO_SIZES;
  const sizes = answer.body.models.filter(isRecord).flatMap(({ name, details }) => {
    const size = isRecord(details) ? parseParameterCount(details.parameter_size) : null;
    return typeof name === "string" && size !== null ? [[name, size] as const] : [];
  });
  return new Map(sizes);
}

/**
 * Tokens of context, in the fields of vLLM, llama-server, LM Studio and OpenRouter: the loaded length before the
 * trained one. Null if none is given.
 */
function readContextLength({
  max_model_len,
  loaded_context_length,
  context_length,
  meta,
}: Record<string, unknown>): number | null {
  const { n_ctx, n_ctx_train } = isRecord(meta) ? meta : {};
  const candidates = [max_model_len, loaded_context_length, n_ctx, context_length, n_ctx_train];
  const tokens = candidates.find(
    (value) => Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= MAX_CONTEXT_TOKENS,
  );
  return tokens === undefined ? null : Number(tokens);
}

/** Number of parameters, in the field of llama-server; null if it is not given. */
function readSize({ meta }: Record<string, unknown>): number | null {
  return isRecord(meta) ? parseParameterCount(meta.n_params) : null;
}

function failure(error: string): ModelsResult {
  return { ok: false, error };
}

function describeError(error: unknown, timeoutMs: number): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (name === "TimeoutError") return `It gave no answer within ${timeoutMs / 1000} s.`;
  if (code === "ECONNREFUSED") return "Nothing listens at this address.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "The name of this address is not known.";
  return message || "It cannot be reached.";
}
