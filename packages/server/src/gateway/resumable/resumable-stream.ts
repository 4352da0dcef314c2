import { EventEmitter, once } from "node:events";
import type { AppError } from "../../platform/core/errors/index.ts";
import { createEventBuffer, type EventBuffer, splitEvents } from "./event-buffer.ts";

/** How a stream ended: completely, cut off because the server stops, or with an error before its first event. */
export type StreamEnd = { kind: "complete" | "cut" } | { kind: "refused"; error: AppError };

/** The answer of a call as its readers see it, whoever they are and however many. */
export type ResumableStream = {
  readonly id: string;
  readonly owner: string;
  readonly organizationId: string;
  /** The id of the call, by which its receipt is found. */
  readonly requestId: string;
  /** The path of the call, such as `/v1/chat/completions`. */
  readonly path: string;
  readonly buffer: EventBuffer;
  /** Renders an error as the last event for one reader, in the format of the stream. Null until the call has a format. */
  renderError: ((error: AppError) => string) | null;
  /** Adds the text of events. */
  write(text: string): void;
  /** Ends the stream. Does nothing when it has ended. */
  end(end: StreamEnd): void;
  /** Null while the call runs. */
  ended(): { end: StreamEnd; atMs: number } | null;
  /** Resolves when there are more events than before, or the stream has ended. Rejects when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>;
  /** Counts a reader until the returned function is called. */
  addReader(): () => void;
  /** Since when nobody reads, in milliseconds since 1970; null while somebody does. */
  unreadSinceMs(): number | null;
  /** Calls `stop` when the call is to be stopped; at once if that was before. Returns the function that takes it back. */
  onStop(stop: (reason: AppError) => void): () => void;
  /** Stops the call. Does nothing when it has ended. */
  stop(reason: AppError): void;
};

type Options = Pick<ResumableStream, "id" | "owner" | "organizationId" | "requestId" | "path"> & {
  maxBytes: number;
  maxEvents: number;
  /** The present time in milliseconds since 1970. */
  nowMs(): number;
  /** Called when the stream keeps more or fewer bytes than before, with the difference. */
  onResized(bytes: number): void;
};

const CHANGED = "changed";

/** Creates a stream without events and readers. */
export function createResumableStream({ maxBytes, maxEvents, nowMs, onResized, ...facts }: Options): ResumableStream {
  const buffer = createEventBuffer({ maxBytes, maxEvents });
  const emitter = new EventEmitter().setMaxListeners(0);
  let pending = "";
  let ended: { end: StreamEnd; atMs: number } | null = null;
  let readers = 0;
  let unreadSinceMs: number | null = nowMs();
  let stopReason: AppError | null = null;
  let stopCall: ((reason: AppError) => void) | null = null;
  return {
    ...facts,
    buffer,
    renderError: null,
    write(text) {
      const { events, rest } = splitEvents(pending + text);
      pending = rest;
      if (events.length === 0) return;
      const before = buffer.bytes();
      buffer.append(events);
      onResized(buffer.bytes() - before);
      emitter.emit(CHANGED);
    },
    end(end) {
      if (ended !== null) return;
      ended = { end, atMs: nowMs() };
      emitter.emit(CHANGED);
    },
    ended: () => ended,
    changed: async (signal) => void (await once(emitter, CHANGED, { signal })),
    addReader() {
      readers += 1;
      unreadSinceMs = null;
      let isReading = true;
      return () => {
        if (!isReading) return;
        isReading = false;
        readers -= 1;
        if (readers === 0) unreadSinceMs = nowMs();
      };
    },
    unreadSinceMs: () => unreadSinceMs,
    onStop(stop) {
      stopCall = stop;
      if (stopReason !== null) stop(stopReason);
      return () => {
        if (stopCall === stop) stopCall = null;
      };
    },
    stop(reason) {
      if (ended !== null) return;
      stopReason ??= reason;
      stopCall?.(stopReason);
    },
  };
}
