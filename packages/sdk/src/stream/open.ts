import type { SentRequest } from "../fetch/send.ts";
import { AnswerStream } from "./answer-stream.ts";
import { EventStream, readEvents } from "./event-stream.ts";
import type { Chunk } from "./message.ts";

/** A response that streams, and how its events are read. */
export type StreamSource = SentRequest & {
  /** Longest time without data, in milliseconds; undefined for no limit. */
  readonly idleTimeoutMs: number | undefined;
  /** Turns the dates of an event into `Date`s. */
  readonly revive: (value: unknown) => unknown;
};

const FINAL_EVENT_TYPES = /^(response\.(completed|incomplete|failed)|message_stop)$/;

/** Returns the stream of a response, with the end marker of its path's format. */
export function openStream(source: StreamSource, path: string): EventStream<unknown> {
  const id = source.response.headers.get("request-id");
  if (path.endsWith("/completions"))
    return new AnswerStream(() => readEvents<Chunk>(source, "[DONE]"), source.controller, id);
  const end = /\/(responses|messages)$/.test(path)
    ? ({ type }: { type: string }) => FINAL_EVENT_TYPES.test(type)
    : ("anywhere" as const);
  return new EventStream<unknown>(() => readEvents<{ type: string }>(source, end), source.controller, id);
}
