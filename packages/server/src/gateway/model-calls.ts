import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { CallHandler } from "../platform/core/http/handlers.ts";
import { listModelsOfRequest, runWithFallbacks } from "./fallbacks.ts";
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

/** Creates the handlers of calls to shared models. They are subject to the limits of the caller's plan. */
export function createModelCalls(
  runCall: RunCall,
  policyFor: (caller: SignedInActor) => CallPolicy,
  clock: Clock,
): ModelCalls {
  const toCall = (operation: ModelOperation): CallHandler<ModelOperation> => {
    const read = READERS[operation];
    return ({ actor, body, exchange }) => {
      const policy = policyFor(actor);
      if (!hasRoutingFields(operation, body))
        return runCall({ ...read(requireModel(body), exchange.id, clock), actor, exchange }, policy);
      const { model: first, models: others, provider, ...rest } = body;
      const caller = { actor, exchange, ...(provider && { preferences: provider }) };
      const models = listModelsOfRequest(first, others ?? []);
      const [only] = models;
      if (only === undefined || models.length === 1)
        return runCall({ ...read(requireModel({ ...rest, model: only }), exchange.id, clock), ...caller }, policy);
      return runWithFallbacks(
        { models, exchange, startedAt: clock.now(), startMark: performance.now() },
        (model, attempt) => runCall({ ...read({ ...rest, model }, exchange.id, clock), ...caller, attempt }, policy),
      );
    };
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

/** A body that says more of its way than the model. */
type RoutedBody = GivenBody & { models?: string[] | null; provider?: ProviderPreferences | null };

/** The operations that have these fields. Vectors or scores of different models cannot be compared. */
const WITH_ROUTING: ReadonlySet<ModelOperation> = new Set([
  "chat.completions.create",
  "completions.create",
  "responses.create",
  "messages.create",
  "audio.transcriptions.create",
  "audio.translations.create",
]);

function hasRoutingFields(operation: ModelOperation, body: GivenBody): body is RoutedBody {
  if (!WITH_ROUTING.has(operation)) return false;
  return (body.models !== undefined && body.models !== null) || (body.provider !== undefined && body.provider !== null);
}
