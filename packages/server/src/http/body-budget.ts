import type { FastifyRequest } from "fastify";
import { AppError } from "../shared/errors.ts";
import type { Actor } from "./actor.ts";
import { placeOf } from "./address-limits.ts";

const MEGABYTE = 1024 * 1024;
const MAX_BYTES_PER_HOLDER = 64 * MEGABYTE;
const RETRY_AFTER_SECONDS = 1;

export type BodyBudget = {
  /**
   * Counts a body that is about to be received. Returns what ends that, and may be called more than once. Throws a 429
   * where the holder's bodies would be more than the limit together.
   */
  enter(holder: string, bytes: number): () => void;
};

/**
 * Bounds the bodies of one organization that are received and parsed at the same time: each is held in memory, and parsing
 * it stops everything else. There is no limit for all together, with which a few slow senders could shut out the others.
 */
export function createBodyBudget(maxBytes = MAX_BYTES_PER_HOLDER): BodyBudget {
  const received = new Map<string, number>();
  return {
    enter(holder, bytes) {
      const held = received.get(holder) ?? 0;
      if (held + bytes > maxBytes) throw tooMuchAtOnce();
      received.set(holder, held + bytes);
      let isDone = false;
      return () => {
        if (isDone) return;
        isDone = true;
        const rest = (received.get(holder) ?? 0) - bytes;
        if (rest > 0) received.set(holder, rest);
        else received.delete(holder);
      };
    },
  };
}

/** Whose bodies are counted together: an organization's, or those from one place where the caller is not known yet. */
export function holderOf(actor: Actor, ip: string): string {
  return actor.kind === "user" ? actor.organizationId : placeOf(ip);
}

/** The bytes that a request says it sends; the most it may send where it does not say. */
export function announcedBytes({ headers }: Pick<FastifyRequest, "headers">, bodyLimit: number): number {
  const length = Number(headers["content-length"]);
  if (Number.isSafeInteger(length) && length >= 0) return Math.min(length, bodyLimit);
  return headers["transfer-encoding"] === undefined ? 0 : bodyLimit;
}

function tooMuchAtOnce(): AppError {
  const message = "Your organization sends too many large requests at the same moment. Try again in a second.";
  return new AppError(429, "rate_limit_exceeded", message, { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
}
