import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { Clock } from "../platform/core/clock.ts";
import { errors } from "../platform/core/errors/index.ts";
import type { Exchange } from "../platform/core/http/exchange.ts";
import type { CallHandler, CallInput } from "../platform/core/http/handlers.ts";
import { findAlias, resolveNames } from "./alias-names.ts";
import { type NamedModel, runWithFallbacks } from "./fallbacks.ts";
import { readChatRequest } from "./formats/chat/request.ts";
import { readCompletionsRequest } from "./formats/completions/request.ts";
import { readEmbeddingsRequest } from "./formats/embeddings/request.ts";
import { readImageRequest } from "./formats/images/request.ts";
import { readMessagesRequest } from "./formats/messages/request.ts";
import { readModerationRequest } from "./formats/moderations/request.ts";
import {
  type CallBody,
  type GivenBody,
  type ParsedRequest,
  type ProviderPreferences,
  requireModel,
} from "./formats/parsed-request.ts";
import { readRerankRequest } from "./formats/rerank/request.ts";
import { readResponsesRequest } from "./formats/responses/request.ts";
import { readSpeechRequest } from "./formats/speech/request.ts";
import { readTranscriptionRequest, readTranslationRequest } from "./formats/transcriptions/request.ts";
import type { CallPolicy, RunCall } from "./pipeline.ts";
import type { ModelLookup, ReadRoutingRules, RoutingRules } from "./ports.ts";
import { type ResumableCall, runResumable } from "./resumable/resumable-call.ts";
import type { ResumableStreams } from "./resumable/resumable-streams.ts";
import { openSavedAnswer, type WaitingAnswers } from "./resumable/saved-answers.ts";
import type { SharedStreams } from "./resumable/shared-streams.ts";

/** The reader of each operation. The body is valid by the contract. */
const READERS = {
  "chat.completions.create": readChatRequest,
  "completions.create": readCompletionsRequest,
  "responses.create": readResponsesRequest,
  "messages.create": readMessagesRequest,
  "embeddings.create": readEmbeddingsRequest,
  "rerank.create": readRerankRequest,
  "moderations.create": readModerationRequest,
  "images.generate": readImageRequest,
  "audio.speech.create": readSpeechRequest,
  "audio.transcriptions.create": readTranscriptionRequest,
  "audio.translations.create": readTranslationRequest,
} satisfies Record<string, (body: CallBody, requestId: string, clock: Clock) => ParsedRequest>;

type ModelOperation = keyof typeof READERS;
type ModelCalls = { readonly [K in ModelOperation]: CallHandler<K> };
type ModelCallInput = CallInput<ModelOperation>;
/** The input of a call, and the stream that gets its answer if it is resumable. */
type RunInput = ModelCallInput & { resumable?: ResumableCall };

/** The paths of the operations whose streams are resumable. */
const RESUMABLE_PATHS: Partial<Record<ModelOperation, string>> = {
  "chat.completions.create": "/v1/chat/completions",
  "responses.create": "/v1/responses",
  "messages.create": "/v1/messages",
};

type Deps = {
  runCall: RunCall;
  /** Returns the limits and the models of a caller. */
  policyFor(caller: SignedInActor): CallPolicy;
  models: Pick<ModelLookup, "exists">;
  readRules: ReadRoutingRules;
  streams: Pick<ResumableStreams, "open">;
  sharedStreams: Pick<SharedStreams, "refuseTaken">;
  waitingAnswers: WaitingAnswers;
  clock: Clock;
};

/** Creates the handlers of calls to shared models. They are subject to the limits of the caller's plan. */
export function createModelCalls(deps: Deps): ModelCalls {
  const toCall =
    (operation: ModelOperation): CallHandler<ModelOperation> =>
    (input) => {
      const rules = deps.readRules();
      return rules instanceof Promise
        ? rules.then((read) => callModel(deps, operation, input, read))
        : callModel(deps, operation, input, rules);
    };
  return {
    "chat.completions.create": toCall("chat.completions.create"),
    "completions.create": toCall("completions.create"),
    "responses.create": toCall("responses.create"),
    "messages.create": toCall("messages.create"),
    "embeddings.create": toCall("embeddings.create"),
    "rerank.create": toCall("rerank.create"),
    "moderations.create": toCall("moderations.create"),
    "images.generate": toCall("images.generate"),
    "audio.speech.create": toCall("audio.speech.create"),
    "audio.transcriptions.create": toCall("audio.transcriptions.create"),
    "audio.translations.create": toCall("audio.translations.create"),
  };
}

function callModel(deps: Deps, operation: ModelOperation, input: ModelCallInput, rules: RoutingRules): Promise<void> {
  const { actor, body, exchange } = input;
  const path = RESUMABLE_PATHS[operation];
  const isResumable = path !== undefined && readResumable(exchange, body);
  if (!isResumable) return runModels(deps, operation, input, rules);
  return callResumable(deps, { actor, exchange, path }, (resumable) =>
    runModels(deps, operation, { ...input, resumable }, rules),
  );
}

type ResumableInput = Pick<ModelCallInput, "actor" | "exchange"> & { path: string };

/** Runs a call with a stream. The answer of a chat completion is saved where its caller says. */
async function callResumable(
  deps: Deps,
  { actor, exchange, path }: ResumableInput,
  run: (resumable: ResumableCall) => Promise<void>,
): Promise<void> {
  const saved =
    path === RESUMABLE_PATHS["chat.completions.create"] ? await openSavedAnswer(deps, { actor, exchange }) : null;
  await runResumable(deps, { actor, exchange, path, saved }, run);
}

/** Returns whether a call asks for a resumable stream. Throws `invalid_request` for one that has none. */
function readResumable({ headers }: Exchange, { stream }: GivenBody): boolean {
  const isResumable = headers["x-resumable"] !== undefined;
  if (isResumable && stream !== true)
    throw errors.invalidRequest("x-resumable is for streams. Send `stream: true` with it.", { param: "x-resumable" });
  if (!isResumable && headers["x-stream-id"] !== undefined)
    throw errors.invalidRequest("x-stream-id names a resumable stream. Send `x-resumable: 1` with it.", {
      param: "x-stream-id",
    });
  if (!isResumable && headers["x-save-answer"] !== undefined)
    throw errors.invalidRequest("x-save-answer is for resumable streams. Send `x-resumable: 1` with it.", {
      param: "x-save-answer",
    });
  return isResumable;
}

function runModels(deps: Deps, operation: ModelOperation, input: RunInput, rules: RoutingRules): Promise<void> {
  const { actor, body, exchange, resumable } = input;
  if (hasRoutingFields(operation, body) || isAlias(rules, body)) return routeModels(deps, operation, input, rules);
  const request = READERS[operation](requireModel(body), exchange.id, deps.clock);
  return deps.runCall(
    { ...request, actor, exchange, ...toCallRules(rules), ...(resumable && { resumable }) },
    deps.policyFor(actor),
  );
}

/** Returns the rules that a call goes on with. */
const toCallRules = ({ order, ownKeyFeePercent, refusesBelowCost }: RoutingRules) => ({
  order,
  ownKeyFeePercent,
  refusesBelowCost,
});

/** Runs a call that names several models, an alias, or where it may be answered. */
async function routeModels(
  { runCall, policyFor, models: lookup, clock }: Deps,
  operation: ModelOperation,
  { actor, body, exchange, resumable }: RunInput,
  rules: RoutingRules,
): Promise<void> {
  const start = { startedAt: clock.now(), startMark: performance.now() };
  const { names, preferences, rest } = splitRouting(operation, body);
  const models = await resolveNames(lookup, rules, names, actor.organizationId);
  const isCallerGone = () => resumable === undefined && exchange.response.destroyed;
  if (isCallerGone()) return;
  const policy = policyFor(actor);
  const toRequest = ({ id, alias }: NamedModel) => ({
    ...READERS[operation]({ ...rest, model: id }, exchange.id, clock),
    actor,
    exchange,
    ...toCallRules(rules),
    ...(preferences && { preferences }),
    ...(alias !== null && { alias }),
    ...(resumable && { resumable }),
  });
  const [only] = models;
  if (only === undefined) requireModel(rest);
  else if (models.length === 1) await runCall(toRequest(only), policy);
  else {
    if (WITH_COMPARED_ANSWERS.has(operation)) throw severalModels(models);
    await runWithFallbacks({ models, exchange, isCallerGone, ...start }, (model, attempt) =>
      runCall({ ...toRequest(model), attempt }, policy),
    );
  }
}

/** A body that says more of its way than the model. */
type RoutedBody = GivenBody & { models?: string[] | null; provider?: ProviderPreferences | null };

/** The operations that have these fields. */
const WITH_ROUTING: ReadonlySet<ModelOperation> = new Set([
  "chat.completions.create",
  "completions.create",
  "responses.create",
  "messages.create",
  "audio.transcriptions.create",
  "audio.translations.create",
]);

/** The operations whose answers are compared with each other: vectors or scores of different models cannot be. */
const WITH_COMPARED_ANSWERS: ReadonlySet<ModelOperation> = new Set(["embeddings.create", "rerank.create"]);

function hasRoutingFields(operation: ModelOperation, body: GivenBody): body is RoutedBody {
  if (!WITH_ROUTING.has(operation)) return false;
  return (body.models !== undefined && body.models !== null) || (body.provider !== undefined && body.provider !== null);
}

function isAlias(rules: RoutingRules, { model }: GivenBody): boolean {
  return typeof model === "string" && findAlias(rules, model) !== undefined;
}

/** Returns the names of the models of a body, where it may be answered, and the rest of it. */
function splitRouting(operation: ModelOperation, body: GivenBody) {
  const { model, ...others } = body;
  const named = typeof model === "string" ? [model] : [];
  if (!hasRoutingFields(operation, body)) return { names: named, preferences: null, rest: others };
  const { model: _, models, provider, ...rest } = body;
  return { names: [...named, ...(models ?? [])], preferences: provider ?? null, rest };
}

function severalModels(models: readonly NamedModel[]) {
  const { alias } = models[0] ?? {};
  const ids = models.map(({ id }) => id).join(", ");
  return errors.invalidRequest(
    `${alias} stands for several models (${ids}), whose answers cannot be compared. Name one of them.`,
    { param: "model" },
  );
}
