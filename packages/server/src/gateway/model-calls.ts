import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { CallHandler } from "../platform/core/http/handlers.ts";
import { readChatRequest } from "./formats/chat/request.ts";
import { readCompletionsRequest } from "./formats/completions/request.ts";
import { readEmbeddingsRequest } from "./formats/embeddings/request.ts";
import { readImageRequest } from "./formats/images/request.ts";
import { readMessagesRequest } from "./formats/messages/request.ts";
import { readModerationRequest } from "./formats/moderations/request.ts";
import type { CallBody, ParsedRequest } from "./formats/parsed-request.ts";
import { readRerankRequest } from "./formats/rerank/request.ts";
import { readResponsesRequest } from "./formats/responses/request.ts";
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
    return ({ actor, body, exchange }) =>
      runCall({ ...read(body, exchange.id, clock), actor, exchange }, policyFor(actor));
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
  };
}
