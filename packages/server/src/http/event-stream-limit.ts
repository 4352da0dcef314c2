import type { FastifyRequest } from "fastify";
import { errors } from "../core/errors/index.ts";
import { clientNetworkOf } from "../core/http/rate-limits.ts";

/** A page of the site keeps one open, in each tab. */
const MAX_STREAMS_PER_OWNER = 32;
const RETRY_AFTER_SECONDS = 5;

/** Limits the event streams that one caller reads at the same time. */
export type EventStreamLimit = {
  /** Counts a stream until the returned function is called. Throws 429 for one too many. */
  open(owner: string): () => void;
  /** Number of streams that are open. */
  count(): number;
};

/**
 * Creates the limit: each stream asks the database every few seconds for as long as its reader wants. It protects the
 * connections and the memory of this process, so each process counts its own streams.
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

/** Whose streams a call counts for: the user's, or the client network's where nobody is signed in. */
export function streamOwnerOf({ actor, ip }: Pick<FastifyRequest, "actor" | "ip">): string {
  return actor.kind === "user" ? actor.userId : clientNetworkOf(ip);
}
