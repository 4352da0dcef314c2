import type { components } from "@feather/openapi/schema";
import type { Dispatcher } from "undici";
import {
  type AccessTokens,
  type BackendFailure,
  type CallTarget,
  identifyModels,
  listModels,
  type TriedCall,
  tryCall,
} from "../../gateway/index.ts";
import { parseSizeInName } from "../../platform/core/models/model-sizes.ts";
import { withKnownIds } from "../providers/index.ts";

/** The result of a test, by the contract. */
export type BackendTestDto = components["schemas"]["BackendTest"];
type TestedModel = components["schemas"]["BackendTestModel"];
type Backend = Pick<components["schemas"]["Backend"], "name" | "base_url" | "api" | "aliases" | "configured_models">;

/**
 * Finds the numbers of parameters of models in the catalogue, by their ids in lower case; null where it is not known.
 * Models that it does not have are left out.
 */
export type FindSizes = (ids: readonly string[]) => Promise<ReadonlyMap<string, number | null>>;

type Deps = { findSizes: FindSizes; dispatcher: Dispatcher | undefined; accessTokens: AccessTokens };
type Listed = { readonly name: string; readonly parameterSize: number | null; readonly knownId?: string | null };

const LIST_TIMEOUT_MS = 5_000;
/** Longer than the time of a list, because a backend may have to load the model. */
const CALL_TIMEOUT_MS = 20_000;
/** The number of models that are called one after the other until one answers, since a list may hold some that do not chat. */
const MAX_CALLED_MODELS = 3;
/** Names of models that do not chat, such as those for vectors, pictures and speech. */
const NOT_FOR_CHAT =
  /embed|rerank|whisper|transcri|tts|speech|audio|realtime|dall-e|image|imagen|veo|sora|flux|diffusion|moderation|guard|ocr/i;

/** Returns the test of an engine of this server, which is watched all the time and not called. */
export async function toEngineTest(
  { findSizes }: Pick<Deps, "findSizes">,
  backend: Backend,
  ids: readonly string[],
): Promise<BackendTestDto> {
  const models = await describeModels(findSizes, backend, toListed(ids));
  return toTest({ models, failure: null, call: null, durationMs: 0 });
}

/**
 * Requests the models of an address, and calls one with a prompt of one word: the named one, or the first that chats. Where
 * models are configured, a list is not needed.
 */
export async function testAddress(
  { findSizes, dispatcher, accessTokens }: Deps,
  backend: Backend,
  apiKey: string | undefined,
  model?: string,
): Promise<BackendTestDto> {
  const { base_url: baseUrl, api, configured_models } = backend;
  const started = performance.now();
  const list = await listModels(baseUrl, apiKey, { api, timeoutMs: LIST_TIMEOUT_MS, dispatcher, accessTokens });
  const listed = list.ok ? list.models : toListed(configured_models);
  const models = await describeModels(findSizes, backend, listed);
  const durationMs = () => Math.round(performance.now() - started);
  // Where nothing answers, or not to this key, a call says no more than the list.
  const isCallable = list.ok || (listed.length > 0 && (list.problem === "not_this_api" || list.problem === null));
  const target = { baseUrl, api, apiKey, dispatcher, accessTokens, timeoutMs: CALL_TIMEOUT_MS };
  const tried = isCallable ? await callFirst(target, chooseCalled(models, model)) : null;
  const failure = tried === null ? (list.ok ? null : list) : tried.result.ok ? null : tried.result.failure;
  const call = tried === null ? null : { model: tried.model, duration_ms: tried.result.durationMs };
  return toTest({ models, failure, call, durationMs: durationMs() });
}

/** Returns the names of models to call, best first: the named one alone, or some that chat before all others. */
function chooseCalled(models: readonly TestedModel[], model: string | undefined): readonly string[] {
  if (model !== undefined) return [models.find(({ id }) => id === model)?.name ?? model];
  const usable = models.filter(({ id }) => id !== null).map(({ name }) => name);
  const chatting = usable.filter((name) => !NOT_FOR_CHAT.test(name));
  return (chatting.length > 0 ? chatting : usable).slice(0, MAX_CALLED_MODELS);
}

/**
 * Calls models until one answers or the reason cannot be the model. The first is asked for a vector at last, because it may
 * be one for embeddings. Null without models.
 */
async function callFirst(
  target: CallTarget,
  names: readonly string[],
): Promise<{ model: string; result: TriedCall } | null> {
  let last: { model: string; result: TriedCall } | null = null;
  for (const model of names) {
    last = { model, result: await tryCall(target, model, "chat") };
    if (last.result.ok || !mayBeModel(last.result)) return last;
  }
  const [model] = names;
  if (model === undefined || last === null) return null;
  const vector = await tryCall(target, model, "embedding");
  return vector.ok ? { model, result: vector } : last;
}

/** Whether a call may have failed because the model does not chat, or is not there for this key. */
function mayBeModel({ failure, status }: Extract<TriedCall, { ok: false }>): boolean {
  return failure.problem === "model" || [400, 404, 405, 422].includes(status ?? 0);
}

type Outcome = {
  models: TestedModel[];
  failure: BackendFailure | null;
  call: BackendTestDto["call"];
  durationMs: number;
};

function toTest({ models, failure, call, durationMs }: Outcome): BackendTestDto {
  return {
    ok: failure === null,
    models: models.map(({ name }) => name),
    model_details: models,
    problem: failure?.problem ?? null,
    error: failure?.error ?? null,
    advice: failure?.advice ?? null,
    call,
    duration_ms: durationMs,
  };
}

const toListed = (names: readonly string[]): Listed[] => names.map((name) => ({ name, parameterSize: null }));

/** Returns what the models that a backend lists are here, with their sizes. */
async function describeModels(
  findSizes: FindSizes,
  { name: backend, base_url, aliases }: Backend,
  listed: readonly Listed[],
): Promise<TestedModel[]> {
  const identified = identifyModels(backend, withKnownIds(base_url, listed), aliases);
  const sizes = await findSizes(identified.flatMap(({ id }) => id ?? []));
  return identified.map(({ model: { name, parameterSize }, id, problem }) => {
    const known = id === null ? undefined : sizes.get(id.toLowerCase());
    return { name, id, problem, parameter_size: known ?? parameterSize ?? parseSizeInName(name) };
  });
}
