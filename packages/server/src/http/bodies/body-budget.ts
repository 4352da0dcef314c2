import type { FastifyRequest } from "fastify";
import type { Actor } from "../../platform/core/auth/actor.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { clientNetworkOf } from "../../platform/core/http/rate-limits.ts";

const MEGABYTE_BYTES = 1024 * 1024;
const MAX_BYTES_PER_HOLDER = 64 * MEGABYTE_BYTES;
const RETRY_AFTER_SECONDS = 1;
/** Above this number, holders without a body are removed. */
const MAX_HOLDERS = 1_000;

/** The number of bytes of all bodies that a caller is sending. */
type Holder = { bytes: number };

/** Limits the bytes of request bodies that are received at the same time. */
export type BodyBudget = {
  /**
   * Reserves bytes for a body. Returns the release function, which may be called more than once. Throws 429 when the
   * holder's bodies would exceed the limit.
   */
  reserve(budgetKey: string, bytes: number): () => void;
};

/**
 * Creates the limit of the bodies of one organization that this process receives and parses at the same time. Bodies are in
 * the process's memory, and parsing blocks its event loop. There is no global limit, because a few slow senders could then
 * block everybody else.
 */
export function createBodyBudget(maxBytes = MAX_BYTES_PER_HOLDER): BodyBudget {
  const holders = new Map<string, Holder>();
  return {
    reserve(budgetKey, bytes) {
      const holder = getOrCreate(holders, budgetKey);
      if (holder.bytes + bytes > maxBytes) throw bodyBudgetExceeded();
      holder.bytes += bytes;
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        holder.bytes -= bytes;
      };
    },
  };
}

/**
 * Returns the holder with this key. Holders without a body are kept until there are many, because adding and removing one
 * for each request would cost more.
 */
function getOrCreate(holders: Map<string, Holder>, key: string): Holder {
  const existing = holders.get(key);
  if (existing) return existing;
  if (holders.size >= MAX_HOLDERS) for (const [idle, { bytes }] of holders) if (bytes === 0) holders.delete(idle);
  const holder = { bytes: 0 };
  holders.set(key, holder);
  return holder;
}

/** Returns the key under which bodies are counted: the organization, or the client's network for anonymous callers. */
export function budgetKeyOf(actor: Actor, ip: string): string {
  return actor.kind === "user" ? actor.organizationId : clientNetworkOf(ip);
}

/** Returns the number of bytes in `content-length`; the body limit for chunked bodies. */
export function declaredBodyBytes({ headers }: Pick<FastifyRequest, "headers">, bodyLimit: number): number {
  const length = Number(headers["content-length"]);
  if (Number.isSafeInteger(length) && length >= 0) return Math.min(length, bodyLimit);
  return headers["transfer-encoding"] === undefined ? 0 : bodyLimit;
}

function bodyBudgetExceeded(): AppError {
  const message = "Your organization sends too many large requests at the same moment. Try again in a second.";
  return errors.rateLimitExceeded(message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
