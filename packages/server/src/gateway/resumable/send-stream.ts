import type { ServerResponse } from "node:http";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { ResponseHeaders } from "../../platform/core/http/exchange.ts";
import { type CallerStream, createCallerStream } from "../caller-streams/caller-stream.ts";
import type { ResumableStream } from "./resumable-stream.ts";

/** The response to a reader of a stream. */
export type StreamReader = {
  response: ServerResponse;
  responseHeaders: ResponseHeaders;
  keepAliveMs: number;
  stalledMs: number;
  /** Ends the reading when it aborts. */
  signal: AbortSignal;
};

/** The events of a stream on their way to a reader. */
export type Sending = {
  /** Whether the status line was sent. */
  isOpen(): boolean;
  /** Resolves when the reader has got everything, has gone, or was cut off. Never rejects. */
  done: Promise<void>;
};

/**
 * Sends the events of a stream from a number on, until it ends. A reader who is so slow that events are no longer kept gets an
 * error at the end of the response. Nothing is sent for a stream that was refused.
 */
export function startSending(stream: ResumableStream, from: number, reader: StreamReader): Sending {
  const gone = new AbortController();
  const onClose = () => gone.abort();
  reader.response.once("close", onClose);
  if (reader.response.destroyed) onClose();
  const signal = AbortSignal.any([gone.signal, reader.signal]);
  const caller = createCallerStream(reader, { ...reader, signal });
  const done = sendEvents(stream, from, caller, signal)
    .catch(() => {
      // A reader that fails must not end the call for others.
      if (!signal.aborted) reader.response.destroy();
    })
    .finally(() => {
      reader.response.off("close", onClose);
      caller.close();
    });
  return { isOpen: caller.isOpen, done };
}

async function sendEvents(
  stream: ResumableStream,
  from: number,
  caller: CallerStream,
  signal: AbortSignal,
): Promise<void> {
  let position = from;
  for (;;) {
    signal.throwIfAborted();
    const ended = stream.ended();
    const read = stream.buffer.read(position);
    if (read === null) return caller.end(stream.renderError?.(eventsGone(stream)) ?? "");
    if (read.text !== "") {
      await caller.write(read.text);
      position = read.next;
    } else if (ended === null) await stream.changed(signal);
    else if (ended.end.kind === "refused") return sendRefusal(stream, caller, ended.end.error);
    else if (ended.end.kind === "cut") return caller.cut("");
    else return caller.end("");
  }
}

/** Ends the response of a reader who has got comments already. For others the refusal is the response, which is sent elsewhere. */
async function sendRefusal({ renderError }: ResumableStream, caller: CallerStream, error: AppError): Promise<void> {
  if (caller.isOpen()) await caller.end(renderError?.(error) ?? "");
}

/** Returns the error for a reader who needs events that are no longer kept. */
export function eventsGone({ buffer }: ResumableStream): AppError {
  const last = buffer.first() - 1;
  return errors.streams.eventsGone(
    `The events up to ${last} are no longer kept. Continue after that one, or call the model again.`,
  );
}
