import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";

/** Longest accepted event, in characters: an event without end must not exhaust memory. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/** An event of a stream exceeds the limit. */
export class EventTooLongError extends Error {
  override readonly name = "EventTooLongError";
}

/** Parses server-sent events from chunks of bytes split anywhere. Only `data` fields are kept. */
export function createSseParser() {
  const decoder = new StringDecoder("utf8");
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ data }) => events.push(data),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw new EventTooLongError("An event is too long.");
    },
  });
  return {
    /** Returns the data of the events that these bytes complete. Throws `EventTooLongError`. */
    push(bytes: Buffer): string[] {
      parser.feed(decoder.write(bytes));
      return events.splice(0);
    },
  };
}
