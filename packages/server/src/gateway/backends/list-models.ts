import { type Dispatcher, request } from "undici";
import { readLimited } from "../../platform/core/http/read-limited.ts";
import { isModelId } from "../../platform/core/models/model-ids.ts";
import { type AccessTokens, type ApiName, DEFAULT_API, type UpstreamApi } from "../apis/api.ts";
import { APIS } from "../apis/apis.ts";
import { NO_ACCESS_TOKENS } from "../apis/vertex/access-tokens.ts";
import { isRecord } from "../usage/reported-usage.ts";
import { type Program, programOf } from "./dialects.ts";
import { isLikeLitellm, readLitellmFacts } from "./litellm-facts.ts";
import { readRouterFacts } from "./llama-router.ts";
import { type AskOllama, isOllama, readOllamaFacts, type ShownContexts } from "./ollama-facts.ts";
import { parseParameterCount } from "./parameter-count.ts";
import { parseJson } from "./parse-json.ts";
import { readDescription } from "./places/description.ts";
import { listLiveHosts, readAgreed } from "./places/hosts.ts";
import { type PlaceFacts, readPlaceFacts } from "./places/place-facts.ts";
import { type BackendFailure, toConnectionFailure, toFormatFailure, toResponseFailure } from "./problems.ts";

/** A model under the backend's own name for it. The context is in tokens; null if the backend does not report it. */
export type ListedModel = {
  readonly name: string;
  /** The id of its weights on Hugging Face, where the list says it. */
  readonly knownId: string | null;
  readonly contextLength: number | null;
  /** The limit of its answers in tokens; null if the backend does not report it. */
  readonly maxAnswerTokens: number | null;
  readonly parameterSize: number | null;
  /** What it reads, such as `text` and `image`; null if the backend does not report it. */
  readonly inputModalities: readonly string[] | null;
  /** Further names of it, such as that of its file, of which one may state its size. */
  readonly names: readonly string[];
  /** Whether it is in memory, as far as the backend says it. The first call to another one loads it. */
  readonly isLoaded: boolean;
  /** What the backend says of it besides; null if it says nothing. */
  readonly place: PlaceFacts | null;
  /** What the backend says of it in words; null if it says nothing. */
  readonly description: string | null;
};

/** The models of a backend, or for operators why they could not be read. */
export type ModelsResult =
  | { ok: true; models: readonly ListedModel[]; program: Program }
  | ({ ok: false } & BackendFailure);

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
  /** The access tokens of keys that are not sent themselves. */
  readonly accessTokens?: AccessTokens;
  /** The contexts of Ollama's models that earlier requests have read. New ones are added. */
  readonly shownContexts?: ShownContexts;
};

const TIMEOUT_MS = 1_500;
/** Hosts with thousands of models send lists of a few megabytes. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** A larger context counts as an error. */
const MAX_CONTEXT_TOKENS = 1_000_000_000;
/** What parts of messages can hold. */
const INPUT_MODALITIES = ["text", "image", "audio", "video", "file"];

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
    accessTokens = NO_ACCESS_TOKENS,
  }: ListOptions = {},
): Promise<ModelsResult> {
  const { headers, toListUrls, readModels } = APIS[api];
  const options = { headers: headers(apiKey), timeoutMs, dispatcher };
  const root = baseUrl.replace(/\/+$/, "");
  try {
    const lists = await Promise.all(
      toListUrls(root).map((url) => requestList(url, APIS[api], apiKey, { ...options, accessTokens })),
    );
    const refused = lists.find(({ status }) => status !== 200);
    if (refused) return { ok: false, ...toResponseFailure({ ...refused, apiKey }, "list") };
    const entries = readEntries(readModels(lists.map(({ body }) => body)));
    const [first] = lists;
    if (entries === null || first === undefined)
      return { ok: false, ...toFormatFailure({ contentType: "", text: "", status: 200, ...first, apiKey }, "list") };
    const ask = createAsk(root, options);
    const program = knownProgram ?? (api === DEFAULT_API ? await recognizeProgram(entries, ask) : api);
    const facts = await readFacts(program, entries, ask, shownContexts);
    const models = entries.flatMap((entry) => toListedModels(entry, facts));
    return { ok: true, models, program };
  } catch (error) {
    return { ok: false, ...toConnectionFailure(error, timeoutMs) };
  }
}

async function requestList(
  url: string,
  api: UpstreamApi,
  apiKey: string | undefined,
  { accessTokens, ...options }: RequestOptions & { accessTokens: AccessTokens },
) {
  const { headers } = options;
  const signature = await api.sign?.(apiKey, { method: "GET", url, headers }, accessTokens);
  return requestJson(url, { ...options, headers: { ...headers, ...signature } });
}

/** What programs say of their models beyond their list, by name: context in tokens, size in parameters, and more. */
type Facts = ReadonlyMap<
  string,
  {
    readonly contextLength: number | null;
    readonly parameterSize: number | null;
    /** The format of the weights. */
    readonly quantization?: string | null;
    readonly place?: PlaceFacts | null;
  }
>;

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
  const names = [...(router?.names ?? []), ...(typeof path === "string" ? [path] : [])];
  const place = known?.place ?? readPlaceFacts(entry, [known?.quantization ?? "", name, ...names]);
  return [
    {
      name,
      knownId: readHubId(entry),
      contextLength: known?.contextLength ?? readContextLength(entry) ?? router?.contextLength ?? null,
      maxAnswerTokens: readMaxAnswerTokens(entry),
      parameterSize: known?.parameterSize ?? readSize(entry),
      inputModalities: readInputModalities(entry) ?? (place?.abilities.images === true ? ["text", "image"] : null),
      names,
      isLoaded: router?.isLoaded ?? true,
      place,
      description: readDescription(entry),
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
  const text = (await readLimited(response.body, MAX_LIST_BYTES)).toString("utf8");
  const contentType = String(response.headers["content-type"] ?? "");
  return { status: response.statusCode, contentType, text, body: parseJson(text) };
}

/** Returns the id on Hugging Face from OpenRouter's field, which is empty for models without public weights. */
function readHubId({ hugging_face_id: id }: Record<string, unknown>): string | null {
  return typeof id === "string" && isModelId(id) ? id : null;
}

/** Returns the modalities in the field of OpenRouter and Hugging Face that messages can have; null without the field. */
function readInputModalities({ architecture }: Record<string, unknown>): readonly string[] | null {
  const listed = isRecord(architecture) ? architecture.input_modalities : null;
  return Array.isArray(listed) ? INPUT_MODALITIES.filter((modality) => listed.includes(modality)) : null;
}

/** Returns the limit of an answer in the fields of Anthropic, Groq, OpenRouter and DeepInfra. Null if none is given. */
function readMaxAnswerTokens({
  max_tokens,
  max_completion_tokens,
  top_provider,
  metadata,
}: Record<string, unknown>): number | null {
  const ofTopProvider = isRecord(top_provider) ? top_provider.max_completion_tokens : null;
  const ofMetadata = isRecord(metadata) ? metadata.max_tokens : null;
  const candidates = [max_tokens, max_completion_tokens, ofTopProvider, ofMetadata];
  return candidates.map(readTokens).find((tokens) => tokens !== null) ?? null;
}

/**
 * Tokens of context, in the fields of vLLM, llama-server, LM Studio, OpenRouter, Groq, Mistral, LiteLLM, DeepInfra and
 * Hugging Face: the loaded length before the trained one. Null if none is given.
 */
function readContextLength(entry: Record<string, unknown>): number | null {
  const { max_model_len, loaded_context_length, context_length, context_window } = entry;
  const { max_context_length, max_input_tokens, meta, metadata } = entry;
  const { n_ctx, n_ctx_train } = isRecord(meta) ? meta : {};
  const candidates = [
    max_model_len,
    loaded_context_length,
    n_ctx,
    context_length,
    context_window,
    max_context_length,
    max_input_tokens,
    n_ctx_train,
    isRecord(metadata) ? metadata.context_length : null,
    readAgreed(listLiveHosts(entry).map((host) => host.context_length)),
  ];
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
