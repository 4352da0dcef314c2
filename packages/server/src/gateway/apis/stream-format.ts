/** An event of a streamed answer: its data, and its name if it has one. */
export type StreamEvent = { data: string; event?: string | undefined };

/** Splits the bytes of one streamed answer, which may be divided anywhere, into events. */
export type StreamParser = {
  /** Returns the events that these bytes complete. Throws an `UnreadableStreamError`. */
  push(bytes: Buffer): StreamEvent[];
};

/** The form in which an API sends streamed answers. */
export type StreamFormat = {
  /** The media type that is asked for. */
  mediaType: string;
  /** Creates the parser of one answer. */
  createParser(): StreamParser;
};

/** The error for bytes that are no stream of events, or for which there is a limit. */
export class UnreadableStreamError extends Error {
  override readonly name: string = "UnreadableStreamError";
}

/** The error for an event that exceeds the limit. */
export class EventTooLongError extends UnreadableStreamError {
  override readonly name = "EventTooLongError";
}
