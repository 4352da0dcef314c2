import type { Readable } from "node:stream";
import { AppError } from "../shared/errors.ts";
import type { Chunk, ChunkReader, StreamFacts } from "./formats/chunks.ts";
import { createSseParser, EventTooLongError } from "./sse.ts";

/** A backend that said it was done has this long to end the connection, which is then used again. */
const PARTING = 1_000;

/** A stream of a backend, read as far as it is asked for. */
export type UpstreamStream = {
  facts: StreamFacts;
  /** The next chunks, or null at the end. Throws when the backend breaks off, or says nothing for so long. */
  next(patienceMs: number): Promise<Chunk[] | null>;
  /** Leaves it, in whatever state it is. */
  leave(): void;
};

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

  /** Reads on to the end, so that the connection can be used again; one that stays open is cut. */
  async function partWays(): Promise<void> {
    const timer = setTimeout(() => body.destroy(), PARTING);
    try {
      while (!(await parts.next()).done);
    } catch {
      // all that counts has been read
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
