import { AnswerStream } from "./answer-stream.ts";
import { EventStream, readEvents, type StreamFormat } from "./event-stream.ts";
import type { Chunk } from "./message.ts";
import { STREAM_ID_HEADER } from "./resume.ts";
import type { StreamSource } from "./stream-source.ts";

/** An event of Responses, transcriptions or Messages; `delta` is the text of the first two, and has that of the last. */
type TypedEvent = { readonly type: string; readonly delta?: string | { readonly text?: string } };

const FINAL_EVENT_TYPES = /^(response\.(completed|incomplete|failed)|message_stop|transcript\.text\.done)$/;
const TEXT_EVENT_TYPES = /^(response\.output_text|transcript\.text)\.delta$/;
const TYPED_EVENTS: StreamFormat<TypedEvent> = {
  end: ({ type }) => FINAL_EVENT_TYPES.test(type),
  textOf({ type, delta }) {
    if (TEXT_EVENT_TYPES.test(type) && typeof delta === "string") return delta;
    return (type === "content_block_delta" && typeof delta === "object" && delta.text) || "";
  },
};

/** Returns the stream of a response, with the end marker of its path's format. */
export function openStream(source: StreamSource, path: string): EventStream<unknown> {
  const { headers } = source.response;
  // Where a stream is continued, the call that began it is the one with a receipt.
  const ids = [headers.get("x-stream-request-id") ?? headers.get("request-id"), headers.get(STREAM_ID_HEADER)] as const;
  if (path.endsWith("/completions"))
    return new AnswerStream(() => readEvents<Chunk>(source, { end: "[DONE]" }), source.controller, ...ids);
  const format = /\/(responses|messages|transcriptions)$/.test(path) ? TYPED_EVENTS : ({ end: "anywhere" } as const);
  return new EventStream<unknown>(() => readEvents<TypedEvent>(source, format), source.controller, ...ids);
}
