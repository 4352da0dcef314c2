import type { TransportResponse } from "../transport.ts";
import type { TypedEvent } from "../types.ts";
import { AnswerStream } from "./answer-stream.ts";
import { EventStream, readEvents } from "./event-stream.ts";
import type { Chunk } from "./message.ts";

const FINAL_EVENT_TYPES = /^(response\.(completed|incomplete|failed)|message_stop)$/;

/** Returns the stream of a response, with the end marker of its path's format. */
export function openStream(
  sent: TransportResponse,
  path: string,
  revive: (value: unknown) => unknown,
): EventStream<unknown> {
  const id = sent.response.headers.get("request-id");
  if (path.endsWith("/completions"))
    return new AnswerStream(() => readEvents<Chunk>(sent, revive, "[DONE]"), sent.controller, id);
  const end = /\/(responses|messages)$/.test(path)
    ? ({ type }: TypedEvent) => FINAL_EVENT_TYPES.test(type)
    : ("anywhere" as const);
  return new EventStream<unknown>(() => readEvents<TypedEvent>(sent, revive, end), sent.controller, id);
}
