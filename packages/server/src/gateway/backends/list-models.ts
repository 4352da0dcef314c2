import { type Dispatcher, request } from "undici";
import { readLimited } from "../../platform/core/http/read-limited.ts";
import { type ApiName, DEFAULT_API, type UpstreamApi } from "../apis/api.ts";
import { APIS } from "../apis/apis.ts";
import { isRecord } from "../usage/reported-usage.ts";
import { type Program, programOf } from "./dialects.ts";
import { isLikeLitellm, readLitellmFacts } from "./litellm-facts.ts";
import { readRouterFacts } from "./llama-router.ts";
import { type AskOllama, isOllama, readOllamaFacts, type ShownContexts } from "./ollama-facts.ts";
import { parseParameterCount } from "./parameter-count.ts";

/** A model under the backend's own name for it. The context is in tokens; null if the backend does not report it. */
export type ListedModel = {
  readonly name: string;
  readonly contextLength: number | null;
  /** The limit of its answers in tokens; null if the backend does not report it. */
  readonly maxAnswerTokens: number | null;
  readonly parameterSize: number | null;
  /** Further names of it, such as that of its file, of which one may state its size. */
  readonly names: readonly string[];
  /** Whether it is in memory, as far as the backend says it. The first call to another one loads it. */
  readonly isLoaded: boolean;
};

/** The models of a backend, or a sentence for operators that says why they could not be read. */
export type ModelsResult =
  | { ok: true; models: readonly ListedModel[]; program: Program }
  | { ok: false; error: string };

type RequestOptions = {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly dispatcher: Dispatcher | undefined;
};

/** How the models are requested. `program` is set if it is known. */
export type ListOptions = {
  readonly timeoutMs?: number;
  readonly dispatcher?: Dispatcher | undefined;
  /** The API that the address speaks; OpenAI's by default. */
  readonly api?: ApiName | undefined;
  readonly program?: Program;
  /** The contexts of Ollama's models that earlier requests have read. New ones are added. */
  readonly shownContexts?: ShownContexts;
};

const TIMEOUT_MS = 1_500;
/** Hosts with thousands of models send lists of a few megabytes. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** A larger context counts as an error. */
const MAX_CONTEXT_TOKENS = 1_000_000_000;

/** Reads the list of models of an address, and for Ollama the sizes that this list lacks. Never throws. */
export async function listModels(
  baseUrl: string,
  apiKey: string | undefined,
  {
    timeoutMs = TIMEOUT_MS,
    dispatcher,
    api = DEFAULT_API,
    program: knownProgram,
    shownContexts = new Map(),
  }: ListOptions = {},
): Promise<ModelsResult> {
  const { headers, toListUrls, readModels } = APIS[api];
  const options = { headers: headers(apiKey), timeoutMs, dispatcher };
  const root = baseUrl.replace(/\/+$/, "");
  try {
    const lists = await Promise.all(toListUrls(root).map((url) => requestList(url, APIS[api], apiKey, options)));
    const refused = lists.find(({ status }) => status !== 200);
    if (refused) return failure(`It answered with status ${refused.status}.`);
    const bodies = lists.map(({ body }) => body);
    const entries = bodies.every(isRecord) ? readEntries(readModels(bodies)) : null;
    if (entries === null) return failure("It answered, but not with a list of models as OpenAI's /v1/models gives it.");
    const ask = createAsk(root, options);
    const program = knownProgram ?? (api === DEFAULT_API ? await recognizeProgram(entries, ask) : api);
    const facts = await readFacts(program, entries, ask, shownContexts);
    const models = entries.flatMap((entry) => toListedModels(entry, facts));
    return { ok: true, models, program };
  } catch (error) {
    return failure(describeError(error, timeoutMs));
  }
}

async function requestList(url: string, api: UpstreamApi, apiKey: string | undefined, options: RequestOptions) {
  const { headers } = options;
  const signature = await api.sign?.(apiKey, { method: "GET", url, headers });
  return requestJson(url, { ...options, headers: { ...headers, ...signature } });
}

/** What programs say of their models beyond their list, by name: context in tokens and size in parameters. */
type Facts = ReadonlyMap<string, { readonly contextLength: number | null; readonly parameterSize: number | null }>;

async function readFacts(
  program: Program,
  entries: readonly Record<string, unknown>[],
  ask: AskOllama,
  shownContexts: ShownContexts,
): Promise<Facts> {
  if (program === "ollama") return readOllamaFacts(ask, shownContexts);
  return program === "other" && isLikeLitellm(entries) ? readLitellmFacts(ask) : new Map();
}

/** Returns the model of an entry of the list; none if it has no name. */
function toListedModels(entry: Record<string, unknown>, facts: Facts): ListedModel[] {
  const { id: name, path } = entry;
  if (typeof name !== "string") return [];
  const known = facts.get(name);
  const router = readRouterFacts(entry);
  return [
    {
      name,
      contextLength: known?.contextLength ?? readContextLength(entry) ?? router?.contextLength ?? null,
      maxAnswerTokens: readTokens(entry.max_tokens),
      parameterSize: known?.parameterSize ?? readSize(entry),
      names: [...(router?.names ?? []), ...(typeof path === "string" ? [path] : [])],
      isLoaded: router?.isLoaded ?? true,
    },
  ];
}

/** Returns the entries of a list of models; null if it is none. Ollama without models writes null for an empty list. */
function readEntries(data: unknown): Record<string, unknown>[] | null {
  if (data === null) return [];
  return Array.isArray(data) ? data.filter(isRecord) : null;
}

/**
 * Returns the program at an address: the one that the entries' `owned_by` name, or Ollama if all entries look like
 * Ollama's. Ollama puts the owner of a model from outside its library into `owned_by`.
 */
async function recognizeProgram(entries: readonly Record<string, unknown>[], ask: AskOllama): Promise<Program> {
  const known = new Set(entries.map(({ owned_by }) => programOf(owned_by)));
  known.delete("other");
  const [program = "other"] = known.size === 1 ? known : [];
  if (program !== "other") return program;
  return entries.every(isLikeOllama) && (await isOllama(ask)) ? "ollama" : "other";
}

function isLikeOllama({ id, owned_by }: Record<string, unknown>): boolean {
  return typeof id === "string" && (id.split("/").at(-2) ?? "library") === owned_by;
}

function createAsk(root: string, options: RequestOptions): AskOllama {
  const origin = root.replace(/\/v1$/, "");
  return async (path, body) => {
    const answer = await requestJson(origin + path, options, body).catch(() => null);
    return answer?.status === 200 ? answer.body : null;
  };
}

async function requestJson(url: string, { headers, timeoutMs, dispatcher }: RequestOptions, content?: object) {
  const response = await request(url, {
    method: content ? "POST" : "GET",
    headers: {
      ...headers,
      ...(content && { "content-type": "application/json" }),
    },
    ...(content && { body: JSON.stringify(content) }),
    signal: AbortSignal.timeout(timeoutMs),
    ...(dispatcher && { dispatcher }),
  });
  const bytes = await readLimited(response.body, MAX_LIST_BYTES);
  return { status: response.statusCode, body: parseJson(bytes.toString("utf8")) };
}

/** Returns the value of a JSON text; null if it is invalid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Tokens of context, in the fields of vLLM, llama-server, LM Studio, OpenRouter and LiteLLM: the loaded length before the
 * trained one. Null if none is given.
 */
function readContextLength({
  max_model_len,
  loaded_context_length,
  context_length,
  max_input_tokens,
  meta,
}: Record<string, unknown>): number | null {
  const { n_ctx, n_ctx_train } = isRecord(meta) ? meta : {};
  const candidates = [max_model_len, loaded_context_length, n_ctx, context_length, max_input_tokens, n_ctx_train];
  return candidates.map(readTokens).find((tokens) => tokens !== null) ?? null;
}

/** Returns a number of tokens; null if it is none. */
function readTokens(value: unknown): number | null {
  const isValid = Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= MAX_CONTEXT_TOKENS;
  return isValid ? Number(value) : null;
}

/** Returns the number of parameters from llama-server's field; null without it. */
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
