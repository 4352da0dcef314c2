/**
 * The stream classes, to restore a stream that was forwarded by another machine.
 *
 * ```ts
 * import { AnswerStream } from "@feather/sdk/streams";
 *
 * const stream = AnswerStream.fromReadableStream(response.body); // what `toReadableStream()` wrote
 * for await (const chunk of stream) console.log(chunk.choices[0]?.delta.content);
 * ```
 */

export { AnswerStream } from "./stream/answer-stream.ts";
export { EventStream } from "./stream/event-stream.ts";
export { type Chunk, type ParsedToolCall, toolCallsOf } from "./stream/message.ts";
