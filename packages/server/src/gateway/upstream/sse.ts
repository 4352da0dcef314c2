import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";

/** Longest accepted event, in characters: an event without end must not exhaust memory. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/** The error for an event that exceeds the limit. */
export class EventTooLongError extends Error {
  override readonly name = "EventTooLongError";
}

/** The data of an event, and its name if it has one. */
export type SseEvent = { data: string; event?: string | undefined };

/** Returns the events in the complete text of a stream. The last one may lack its end. Throws `EventTooLongError`. */
export function readSseEvents(text: string): SseEvent[] {
  return createSseParser().push(Buffer.from(`${text}\n\n`));
}

/** Creates a parser of server-sent events from chunks of bytes that are split anywhere. */
export function createSseParser() {
  const decoder = new StringDecoder("utf8");
  const events: SseEvent[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ data, event }) => events.push({ data, event }),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw new EventTooLongError("An event is too long.");
    },
  });
  return {
    /** Returns the events that these bytes complete. Throws `EventTooLongError`. */
    push(bytes: Buffer): SseEvent[] {
      parser.feed(decoder.write(bytes));
      return events.splice(0);
    },
  };
}
