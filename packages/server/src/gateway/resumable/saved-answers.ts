import { type SignedInActor, scopeDenied } from "../../platform/core/auth/actor.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Exchange } from "../../platform/core/http/exchange.ts";
import { createAnswerRecorder, type RecordedAnswer } from "./answer-recorder.ts";

/** An answer in a conversation that waits for a stream. */
export type WaitingAnswer = {
  owner: { organizationId: string; userId: string };
  conversationId: string;
  answerId: string;
  streamId: string;
};

/** The answers of conversations that wait for streams. */
export type WaitingAnswers = {
  /** Throws where the owner has no such answer, or one that does not wait for the stream. */
  require(answer: WaitingAnswer): Promise<void>;
  /** Saves how an answer ended. Does nothing where it does not wait for the stream any more. */
  finish(answer: WaitingAnswer, end: RecordedAnswer): Promise<void>;
};

/** What saves the answer of one call. */
export type SavedAnswer = {
  /** Adds the text of events. */
  add(text: string): void;
  /** Saves the answer, or the error of a call without one. Never rejects. */
  save(refusal?: AppError): Promise<void>;
};

type Input = { actor: SignedInActor; exchange: Exchange };

/** Returns what saves the answer of a call; null where it is not to be saved. Throws where its caller may not save it there. */
export async function openSavedAnswer(
  { waitingAnswers, clock }: { waitingAnswers: WaitingAnswers; clock: Clock },
  { actor, exchange: { headers, id: requestId, log } }: Input,
): Promise<SavedAnswer | null> {
  const place = headers["x-save-answer"];
  if (place === undefined) return null;
  const streamId = headers["x-stream-id"];
  if (streamId === undefined)
    throw errors.invalidRequest("x-save-answer needs x-stream-id, by which the answer names the stream.", {
      param: "x-save-answer",
    });
  if (!actor.scopes.includes("chats.write")) throw scopeDenied("chats.write");
  const [conversationId = "", answerId = ""] = String(place).split("/");
  const { organizationId, userId } = actor;
  const answer = { owner: { organizationId, userId }, conversationId, answerId, streamId: String(streamId) };
  await waitingAnswers.require(answer);
  const recorder = createAnswerRecorder({ requestId, nowMs: () => clock.now().getTime() });
  return {
    add: recorder.add,
    async save(refusal) {
      const end = recorder.end(refusal);
      if (end === null) return;
      await waitingAnswers.finish(answer, end).catch((error: unknown) => {
        log.error({ request_id: requestId, err: error }, "an answer could not be saved into its conversation");
      });
    },
  };
}
