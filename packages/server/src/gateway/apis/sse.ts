import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import { EventTooLongError, type StreamEvent, type StreamFormat, type StreamParser } from "./stream-format.ts";

/** Longest accepted event, in characters: an event without end must not exhaust memory. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/** Server-sent events, in which most APIs stream. */
export const SERVER_SENT_EVENTS: StreamFormat = { mediaType: "text/event-stream", createParser: createSseParser };

/** Returns the events in the complete text of a stream. The last one may lack its end. Throws `EventTooLongError`. */
export function readSseEvents(text: string): StreamEvent[] {
  return createSseParser().push(Buffer.from(`${text}\n\n`));
}

/** Creates a parser of server-sent events. It throws `EventTooLongError`. */
export function createSseParser(): StreamParser {
  const decoder = new StringDecoder("utf8");
  const events: StreamEvent[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ data, event }) => events.push({ data, event }),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw new EventTooLongError("An event is too long.");
    },
  });
  return {
    push(bytes) {
      parser.feed(decoder.write(bytes));
      return events.splice(0);
    },
  };
}
