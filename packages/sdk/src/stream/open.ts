import type { Sent } from "../transport.ts";
import type { TypedEvent } from "../types.ts";
import { AnswerStream } from "./answer-stream.ts";
import { EventStream, eventsOf } from "./event-stream.ts";
import type { Chunk } from "./message.ts";

const LAST = /^(response\.(completed|incomplete|failed)|message_stop)$/;

/** Returns the stream of a response, with the end marker of its path's format. */
export function openStream(sent: Sent, path: string, revive: (value: unknown) => unknown): EventStream<unknown> {
  const id = sent.response.headers.get("request-id");
  if (path.endsWith("/completions"))
    return new AnswerStream(() => eventsOf<Chunk>(sent, revive, "[DONE]"), sent.controller, id);
  const ending = /\/(responses|messages)$/.test(path)
    ? ({ type }: TypedEvent) => LAST.test(type)
    : ("anywhere" as const);
  return new EventStream<unknown>(() => eventsOf<TypedEvent>(sent, revive, ending), sent.controller, id);
}
