import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { AppError, errors } from "../../platform/core/errors/index.ts";
import type { Exchange } from "../../platform/core/http/exchange.ts";
import type { CallerStream } from "../caller-streams/caller-stream.ts";
import type { ResumableStream } from "./resumable-stream.ts";
import type { ResumableStreams } from "./resumable-streams.ts";
import type { SavedAnswer } from "./saved-answers.ts";
import { startSending } from "./send-stream.ts";
import type { SharedStreams } from "./shared-streams.ts";
import { toStreamOwner } from "./stream-owner.ts";

type AnswerOptions = {
  keepAliveMs: number;
  stalledMs: number;
  /** Renders an error as the last event for one reader. */
  renderError(error: AppError): string;
};

/** A call whose answer goes to a stream, from which its caller and others read. */
export type ResumableCall = {
  /** Starts the answer of one of the call's models, which the caller begins to get. */
  answer(options: AnswerOptions): CallerStream;
  /** Calls `stop` when the call is to be stopped. Returns the function that takes it back. */
  onStop(stop: (reason: AppError) => void): () => void;
};

type Input = {
  actor: SignedInActor;
  exchange: Exchange;
  path: string;
  /** What saves the answer; null where it is not to be saved. */
  saved: SavedAnswer | null;
};

/**
 * Runs a call whose answer goes to a stream: it goes on when its caller disconnects. Resolves when it has ended and its caller has
 * got the answer or has gone. Throws the refusal of a call that has not begun to answer.
 */
export async function runResumable(
  {
    streams,
    sharedStreams,
  }: { streams: Pick<ResumableStreams, "open">; sharedStreams: Pick<SharedStreams, "refuseTaken"> },
  { actor, exchange, path, saved }: Input,
  run: (call: ResumableCall) => Promise<void>,
): Promise<void> {
  const { response, responseHeaders, headers, id } = exchange;
  const owner = toStreamOwner(actor);
  const chosenId = headers["x-stream-id"];
  if (chosenId !== undefined) await sharedStreams.refuseTaken({ owner, id: String(chosenId) });
  const stream = streams.open({
    id: String(chosenId ?? id),
    owner,
    organizationId: actor.organizationId,
    requestId: id,
    path,
  });
  responseHeaders["x-stream-id"] = stream.id;
  const leave = stream.addReader();
  response.once("close", leave);
  if (response.destroyed) leave();
  const sent: Promise<void>[] = [];
  try {
    await run({
      onStop: stream.onStop,
      answer(options) {
        const { caller, done } = startAnswer(stream, exchange, options);
        sent.push(done);
        return saved === null ? caller : recordedBy(saved, caller);
      },
    });
    stream.end({ kind: "complete" });
    await saved?.save();
  } catch (error) {
    const refusal = error instanceof AppError ? error : errors.internalError({ cause: error });
    stream.end({ kind: "refused", error: refusal });
    if (!response.destroyed) throw error;
    await saved?.save(refusal); // nobody got the refusal, which others do as the response
    if (!(error instanceof AppError)) exchange.log.error({ request_id: id, err: error }, "a resumable call failed");
  }
  await Promise.all(sent);
}

/** Returns a stream whose text is recorded too. */
const recordedBy = (saved: SavedAnswer, caller: CallerStream): CallerStream => ({
  ...caller,
  write(text) {
    saved.add(text);
    return caller.write(text);
  },
  end(text) {
    saved.add(text);
    caller.end(text);
  },
  cut(text) {
    saved.add(text);
    caller.cut(text);
  },
});

/** Starts an answer: what is written to `caller` goes to the stream, and from there to the one who made the call. */
function startAnswer(
  stream: ResumableStream,
  { response, responseHeaders }: Exchange,
  { keepAliveMs, stalledMs, renderError }: AnswerOptions,
): { caller: CallerStream; done: Promise<void> } {
  const abandoned = new AbortController();
  const { signal } = abandoned;
  const sending = startSending(stream, 1, { response, responseHeaders, keepAliveMs, stalledMs, signal });
  stream.renderError = renderError;
  const isOpen = () => sending.isOpen() || stream.buffer.last() > 0;
  const endWith = (text: string, kind: "complete" | "cut") => {
    stream.write(text);
    stream.end({ kind });
  };
  return {
    done: sending.done,
    caller: {
      isOpen,
      // Readers never hold up the call: what they have not read is in the buffer.
      write: (text) => void stream.write(text),
      end: (text) => endWith(text, "complete"),
      cut: (text) => endWith(text, "cut"),
      close() {
        if (!isOpen()) abandoned.abort(); // another model may begin the answer, or a refusal follows
      },
    },
  };
}
