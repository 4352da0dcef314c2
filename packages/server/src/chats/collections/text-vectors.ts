import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { EmbedTexts } from "../../gateway/index.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { isRefusal, QUEUE_SECONDS } from "./query-vector.ts";
import { toVectors, type Vectors } from "./vectors.ts";

const HOUR_MS = 3_600_000;
const MAX_BYTES = 128 * 1024 * 1024;
const TEXTS_AT_ONCE = 32;

/** The vector of each text; null for those that were not made, and why. */
export type TextVectors = { vectors: (Vectors | null)[]; problem: string | null };

type Request = { model: string; texts: readonly string[]; dimensions: number; signal: AbortSignal };

/** Makes vectors of texts for an hour, as `createTextVectors` says. */
export type MakeTextVectors = (actor: SignedInActor, request: Request) => Promise<TextVectors>;

/** `timeoutMs`: how long the vectors of one call may take together, in milliseconds. `now`: milliseconds of a clock. */
type Deps = { embedTexts: EmbedTexts; timeoutMs: number; now(): number };

/**
 * Creates what makes vectors of texts that are not stored, as calls of the caller. Those of an organization stay in memory for an hour
 * after their last use, at most 128 MiB of all. Where time is over, or the model refuses, the vectors that were made by then are returned
 * and kept, so that the next call goes on from there.
 */
export function createTextVectors({ embedTexts, timeoutMs, now }: Deps): MakeTextVectors {
  const cache = new LRUCache<string, Vectors>({
    ...{ maxSize: MAX_BYTES, sizeCalculation: ({ values }) => values.byteLength || 1 },
    ...{ ttl: HOUR_MS, updateAgeOnGet: true, ttlResolution: 0, perf: { now } },
  });
  return async (actor, { model, texts, dimensions, signal: gone }) => {
    const keys = texts.map((text) => toKey(actor.organizationId, model, text));
    const read = (key: string) => {
      const known = cache.get(key);
      return known?.dimensions === dimensions ? known : null; // another length cannot be compared
    };
    const missing = [...new Map(keys.map((key, index) => [key, texts[index] ?? ""]))].filter(
      ([key]) => read(key) === null,
    );
    const signal = AbortSignal.any([gone, AbortSignal.timeout(timeoutMs)]);
    let problem: string | null = null;
    for (let start = 0; start < missing.length && problem === null; start += TEXTS_AT_ONCE) {
      const batch = missing.slice(start, start + TEXTS_AT_ONCE);
      try {
        const input = { model, texts: batch.map(([, text]) => text), queueSeconds: QUEUE_SECONDS, signal };
        const { dimensions: length, values } = toVectors(await embedTexts(actor, input));
        for (const [index, [key]] of batch.entries())
          cache.set(key, { dimensions: length, values: values.slice(index * length, (index + 1) * length) });
      } catch (error) {
        if (signal.aborted) problem = `${model} did not make the vectors of all passages in time.`;
        else if (isRefusal(error)) problem = `${model} cannot be used: ${error.message}`;
        else throw error;
      }
    }
    return { vectors: keys.map(read), problem };
  };
}

const toKey = (organizationId: string, model: string, text: string): string =>
  createHash("sha256")
    .update(JSON.stringify([organizationId, model, text]))
    .digest("base64url");
