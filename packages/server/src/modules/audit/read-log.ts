import { LRUCache } from "lru-cache";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Audit } from "./audit.ts";

/** Pages reload when their tab is focused again; repetitions within this time count as the same access. */
const SAME_READING_MS = 600_000;
const MAX_REMEMBERED = 10_000;

/** Access to data of others, or an export. */
export type Reading = { actor: SignedIn; action: string; target: string | null; details?: Record<string, unknown> };

/** Records who reads data of others. */
export type ReadLog = { record(reading: Reading): Promise<void> };

/**
 * Writes to the audit log who reads data of others: once in ten minutes for the same user, credential, target, details and
 * IP address. `record` resolves after the row is written, so callers await it before they return the data.
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
