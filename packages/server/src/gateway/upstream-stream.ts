import type { Readable } from "node:stream";
import { AppError } from "../shared/errors.ts";
import type { Chunk, ChunkReader, StreamFacts } from "./formats/chunks.ts";
import { createSseParser, EventTooLongError } from "./sse.ts";

/** Time for a backend that sent its last event to end the response, so that the connection can be reused. */
const PARTING = 1_000;

/** A backend's streamed answer, read only as fast as its chunks are consumed. */
export type UpstreamStream = {
  facts: StreamFacts;
  /**
   * The next chunks, or null at the end. Throws when the connection breaks, and `upstream_timeout` when nothing arrives
   * within the given milliseconds.
   */
  next(patienceMs: number): Promise<Chunk[] | null>;
  /** Releases the connection, in whatever state the stream is. */
  leave(): void;
};

/** Parses the response body of a backend into chunks. */
export function createUpstreamStream(body: Readable, reader: ChunkReader): UpstreamStream {
  const { facts } = reader;
  const parser = createSseParser();
  const parts: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let ended = false;

  async function part(patienceMs: number): Promise<Buffer | null> {
    const timer = setTimeout(() => body.destroy(silence()), patienceMs);
    try {
      const { done, value } = await parts.next();
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
      facts.failed = true;
      return [];
    }
  }

  /** Reads the rest of the body so that the connection can be reused, and destroys it after the time limit. */
  async function partWays(): Promise<void> {
    const timer = setTimeout(() => body.destroy(), PARTING);
    try {
      while (!(await parts.next()).done);
    } catch {
      // the answer itself is already complete
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    facts,
    async next(patienceMs) {
      while (!ended && !facts.done && !facts.failed) {
        const bytes = await part(patienceMs);
        if (bytes === null) ended = true;
        else {
          const chunks = read(bytes);
          if (chunks.length > 0) return chunks;
        }
      }
      return null;
    },
    leave() {
      if (ended) return;
      if (facts.done && !facts.failed) void partWays();
      else {
        body.on("error", () => {});
        body.destroy();
      }
    },
  };
}

function silence(): AppError {
  return new AppError(504, "upstream_timeout", "The backend stopped in the middle of the answer.", {
    headers: { "retry-after": "1" },
  });
}
