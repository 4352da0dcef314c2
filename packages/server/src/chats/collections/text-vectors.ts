import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { EmbedTexts } from "../../gateway/index.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { isRefusal, QUEUE_SECONDS } from "./query-vector.ts";
import { toVectors, type Vectors } from "./vectors.ts";

const HOUR_MS = 3_600_000;
const MAX_BYTES = 128 * 1024 * 1024;
/** Few, so that a call holds few units of its organization, and keeps what it made where time ends. */
const TEXTS_AT_ONCE = 8;
/** Calls of one search, so that a question does not use up the requests of a day. The next question makes more. */
const MAX_CALLS = 20;

/** The vector of each text; null for those that were not made, and why. */
export type TextVectors = { vectors: (Vectors | null)[]; problem: string | null };

type Request = { model: string; texts: readonly string[]; dimensions: number; signal: AbortSignal };

/** Makes vectors of texts for an hour, as `createTextVectors` says. */
export type MakeTextVectors = (actor: SignedInActor, request: Request) => Promise<TextVectors>;

/** `timeoutMs`: how long the vectors of one call may take together, in milliseconds. `now`: milliseconds of a clock. `maxBytes`: of all that is kept. */
type Deps = { embedTexts: EmbedTexts; timeoutMs: number; now(): number; maxBytes?: number };

/**
 * Creates what makes vectors of texts that are not stored, as calls of the caller. Those of an organization stay in memory for an hour
 * after their last use, at most 128 MiB of all. Where time or the calls of one search are over, or the model refuses, the vectors that were
 * made by then are returned and kept, so that the next call goes on from there.
 */
export function createTextVectors({ embedTexts, timeoutMs, now, maxBytes = MAX_BYTES }: Deps): MakeTextVectors {
  const cache = new LRUCache<string, Vectors>({
    ...{ maxSize: maxBytes, sizeCalculation: ({ values }) => values.byteLength || 1 },
    ...{ ttl: HOUR_MS, updateAgeOnGet: true, ttlResolution: 0, perf: { now } },
  });
  return async (actor, { model, texts, dimensions, signal: gone }) => {
    const keys = texts.map((text) => toKey(actor.organizationId, model, text));
    const read = (key: string) => {
      const known = cache.get(key);
      return known?.dimensions === dimensions ? known : null; // another length cannot be compared
    };
    // Held here too, since the cache may drop what other texts push out.
    const known = new Map(keys.map((key) => [key, read(key)]));
    const all = [...new Map(keys.map((key, index) => [key, texts[index] ?? ""]))];
    const missing = all.filter(([key]) => known.get(key) === null);
    const end = Math.min(missing.length, MAX_CALLS * TEXTS_AT_ONCE);
    const signal = AbortSignal.any([gone, AbortSignal.timeout(timeoutMs)]);
    let problem: string | null = null;
    for (let start = 0; start < end && problem === null; start += TEXTS_AT_ONCE) {
      const batch = missing.slice(start, Math.min(end, start + TEXTS_AT_ONCE));
      try {
        const input = { model, texts: batch.map(([, text]) => text), queueSeconds: QUEUE_SECONDS, signal };
        const { dimensions: length, values } = toVectors(await embedTexts(actor, input));
        if (length !== dimensions || values.length !== batch.length * length) {
          problem = `${model} answered with vectors that cannot be compared.`;
          break;
        }
        for (const [index, [key]] of batch.entries()) {
          const vector = { dimensions: length, values: values.slice(index * length, (index + 1) * length) };
          cache.set(key, vector);
          known.set(key, vector);
        }
      } catch (error) {
        if (signal.aborted) problem = `${model} did not make the vectors of all passages in time.`;
        else if (isRefusal(error)) problem = `${model} cannot be used: ${error.message}`;
        else throw error;
      }
    }
    if (problem === null && end < missing.length)
      problem = `${model} has made the vectors of ${end} of ${missing.length} passages; the next questions make the others.`;
    return { vectors: keys.map((key) => known.get(key) ?? null), problem };
  };
}

const toKey = (organizationId: string, model: string, text: string): string =>
  createHash("sha256")
    .update(JSON.stringify([organizationId, model, text]))
    .digest("base64url");
