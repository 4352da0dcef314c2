import type { FastifyRequest } from "fastify";
import { errors } from "../platform/core/errors/index.ts";
import { clientNetworkOf } from "../platform/core/http/rate-limits.ts";

/** Pages of the site keep one stream open in each tab. */
const MAX_STREAMS_PER_OWNER = 32;
const RETRY_AFTER_SECONDS = 5;

/** Limits the event streams that a caller has open at the same time. */
export type EventStreamLimit = {
  /** Counts a stream until the returned function is called. Throws 429 above the limit. */
  open(owner: string): () => void;
  /** Returns the number of open streams. */
  count(): number;
};

/**
 * Creates the limit. Each stream queries the database every few seconds while it is open, so the limit protects the
 * connections and the memory of this process. Each process counts its own streams.
 */
export function createEventStreamLimit(maxPerOwner = MAX_STREAMS_PER_OWNER): EventStreamLimit {
  const counts = new Map<string, number>();
  return {
    count: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    open(owner) {
      const count = counts.get(owner) ?? 0;
      if (count >= maxPerOwner)
        throw errors.rateLimitExceeded(`You follow ${count} streams of events already. Close one of them.`, {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      counts.set(owner, count + 1);
      let isClosed = false;
      return () => {
        if (isClosed) return;
        isClosed = true;
        const rest = (counts.get(owner) ?? 0) - 1;
        if (rest > 0) counts.set(owner, rest);
        else counts.delete(owner);
      };
    },
  };
}

/** Returns the key under which a stream is counted: the user, or the client's network without one. */
export function streamOwnerOf({ actor, ip }: Pick<FastifyRequest, "actor" | "ip">): string {
  return actor.kind === "user" ? actor.userId : clientNetworkOf(ip);
}
