import { LRUCache } from "lru-cache";
import type { Audit } from "../core/audit.ts";
import type { SignedInActor } from "../core/auth/actor.ts";
import type { Clock } from "../core/clock.ts";

/** Pages reload when their tab is focused again; repetitions within this time count as the same access. */
const SAME_READ_WINDOW_MS = 600_000;
const MAX_REMEMBERED_READS = 10_000;

/** An access to data of others, or an export of data. */
export type ReadEvent = {
  actor: SignedInActor;
  action: string;
  target: string | null;
  details?: Record<string, unknown>;
};

/** Records accesses to data of others. */
export type ReadLog = { record(event: ReadEvent): Promise<void> };

/**
 * Writes to the audit log who reads data of others: once in ten minutes for the same user, credential, target, details and
 * IP address. Each process remembers only its own rows, so several processes may write more rows, never fewer. `record`
 * resolves after the row is written. Callers await it before they return the data.
 */
export function createReadLog(audit: Audit, clock: Clock): ReadLog {
  const lastRecordedAt = new LRUCache<string, number>({ max: MAX_REMEMBERED_READS });
  return {
    async record({ actor, action, target, details }) {
      const { credential, userId, ip } = actor;
      const key = JSON.stringify([userId, credential.type, credential.id, ip, action, target, details]);
      const now = clock.now().getTime();
      const lastAt = lastRecordedAt.get(key);
      if (lastAt !== undefined && now - lastAt < SAME_READ_WINDOW_MS) return;
      await audit.record({ actor, action, target, ...(details && { details }) });
      lastRecordedAt.set(key, now);
    },
  };
}
