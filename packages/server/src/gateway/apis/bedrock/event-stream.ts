import { createRequire } from "node:module";
import type { EventStreamCodec, Message } from "@smithy/core/event-streams";
import {
  EventTooLongError,
  type StreamEvent,
  type StreamFormat,
  type StreamParser,
  UnreadableStreamError,
} from "../stream-format.ts";

type EventStreams = typeof import("@smithy/core/event-streams");

/** Longest accepted message, in bytes: a message without end must not exhaust memory. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Two lengths and two checksums, in bytes. */
const MIN_MESSAGE_BYTES = 16;
/** The length with which a message begins, in bytes. */
const LENGTH_BYTES = 4;

/** Amazon's event streams, which are binary messages with checksums. */
export const AMAZON_EVENT_STREAM: StreamFormat = {
  mediaType: "application/vnd.amazon.eventstream",
  createParser: createAmazonEventParser,
};

const require = createRequire(import.meta.url);

/**
 * Creates a parser of Amazon's event streams. The data of an event is a JSON object with its payload under its type:
 * `{"contentBlockDelta":{…}}`. So is that of an exception. Throws `EventTooLongError`, and an `UnreadableStreamError` for
 * bytes that are no messages.
 */
export function createAmazonEventParser(): StreamParser {
  // Loaded with the first stream: most servers have no backend that needs it, and it takes megabytes of memory.
  const { EventStreamCodec: Codec } = require("@smithy/core/event-streams") as EventStreams;
  const codec = new Codec(toText, (text) => Buffer.from(text));
  let parts: Buffer[] = [];
  let waiting = 0;
  let required = LENGTH_BYTES;
  return {
    push(bytes) {
      parts.push(bytes);
      waiting += bytes.length;
      if (waiting < required) return [];
      const { messages, rest } = splitMessages(Buffer.concat(parts));
      parts = [rest];
      waiting = rest.length;
      required = readLength(rest) ?? LENGTH_BYTES;
      return messages.map((message) => toEvent(decode(codec, message)));
    },
  };
}

/** Returns the complete messages in bytes, and a copy of the bytes behind them. */
function splitMessages(bytes: Buffer): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = [];
  let at = 0;
  for (;;) {
    const length = readLength(bytes.subarray(at));
    if (length === null || at + length > bytes.length) return { messages, rest: Buffer.from(bytes.subarray(at)) };
    messages.push(bytes.subarray(at, at + length));
    at += length;
  }
}

/** Returns the length of the message that begins here, in bytes; null if it has not arrived. */
function readLength(bytes: Buffer): number | null {
  if (bytes.length < LENGTH_BYTES) return null;
  const length = bytes.readUInt32BE(0);
  if (length > MAX_MESSAGE_BYTES) throw new EventTooLongError("A message is too long.");
  if (length < MIN_MESSAGE_BYTES) throw new UnreadableStreamError("A message is too short.");
  return length;
}

function decode(codec: EventStreamCodec, message: Buffer): Message {
  try {
    return codec.decode(message);
  } catch (cause) {
    throw new UnreadableStreamError("A message cannot be read.", { cause });
  }
}

function toEvent({ headers, body }: Message): StreamEvent {
  const readHeader = (name: string) => String(headers[`:${name}`]?.value ?? "");
  const kind = readHeader("message-type");
  if (kind === "error")
    return { data: JSON.stringify({ [readHeader("error-code")]: { message: readHeader("error-message") } }) };
  const type = readHeader(kind === "exception" ? "exception-type" : "event-type");
  return { data: `{${JSON.stringify(type)}:${toText(body) || "{}"}}` };
}

function toText(bytes: Uint8Array | string): string {
  return typeof bytes === "string"
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
