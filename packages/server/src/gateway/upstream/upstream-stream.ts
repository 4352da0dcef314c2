import type { Readable } from "node:stream";
import { errors } from "../../core/errors/index.ts";
import type { Chunk, ChunkReader, StreamState } from "../formats/chunks.ts";
import { createSseParser, EventTooLongError } from "./sse.ts";

/** Time for a backend that sent its last event to end the response, so that the connection can be reused. */
const DRAIN_TIMEOUT_MS = 1_000;

/** A backend's streamed answer, read only as fast as its chunks are consumed. */
export type UpstreamStream = {
  state: StreamState;
  /**
   * The next chunks, or null at the end. Throws when the connection breaks, and `upstream_timeout` when nothing arrives
   * within the given milliseconds.
   */
  next(timeoutMs: number): Promise<Chunk[] | null>;
  /** Releases the connection, in whatever state the stream is. */
  close(): void;
};

/** Parses the response body of a backend into chunks. */
export function createUpstreamStream(body: Readable, reader: ChunkReader): UpstreamStream {
  const { state } = reader;
  const parser = createSseParser();
  const iterator: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let ended = false;

  async function readBytes(timeoutMs: number): Promise<Buffer | null> {
    const timer = setTimeout(
      () => body.destroy(errors.upstreamTimeout("The backend stopped in the middle of the answer.")),
      timeoutMs,
    );
    try {
      const { done, value } = await iterator.next();
      return done ? null : value;
    } finally {
      clearTimeout(timer);
    }
  }

  function read(bytes: Buffer): Chunk[] {
    try {
      return parser.push(bytes).flatMap((data) => reader.read(data) ?? []);
    } catch (error) {
      if (!(error instanceof EventTooLongError)) throw error;
      state.failed = true;
      return [];
    }
  }

  /** Reads the rest of the body so that the connection can be reused, and destroys it after the time limit. */
  async function drain(): Promise<void> {
    const timer = setTimeout(() => body.destroy(), DRAIN_TIMEOUT_MS);
    try {
      while (!(await iterator.next()).done);
    } catch {
      // the answer itself is already complete
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    state,
    async next(timeoutMs) {
      while (!ended && !state.done && !state.failed) {
        const bytes = await readBytes(timeoutMs);
        if (bytes === null) ended = true;
        else {
          const chunks = read(bytes);
          if (chunks.length > 0) return chunks;
        }
      }
      return null;
    },
    close() {
      if (ended) return;
      if (state.done && !state.failed) void drain();
      else {
        body.on("error", () => {});
        body.destroy();
      }
    },
  };
}
