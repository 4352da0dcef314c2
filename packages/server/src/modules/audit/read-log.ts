import { LRUCache } from "lru-cache";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Audit } from "./audit.ts";

/** A page is loaded again whenever somebody comes back to its tab: within this time it is the same reading. */
const SAME_READING_MS = 600_000;
const MAX_REMEMBERED = 10_000;

export type Reading = { actor: SignedIn; action: string; target: string | null; details?: Record<string, unknown> };

export type ReadLog = { record(reading: Reading): Promise<void> };

/**
 * Writes into the audit log who read what belongs to others: once in ten minutes for the same reader, credential, thing,
 * details and place. What is read is only given out once the row is written.
 */
export function createReadLog(audit: Audit, clock: Clock): ReadLog {
  const known = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return {
    async record({ actor, action, target, details }) {
      const { credential, userId, ip } = actor;
      const key = JSON.stringify([userId, credential.type, credential.id, ip, action, target, details]);
      const now = clock.now().getTime();
      const last = known.get(key);
      if (last !== undefined && now - last < SAME_READING_MS) return;
      await audit.record({ actor, action, target, ...(details && { details }) });
      known.set(key, now);
    },
  };
}
