import type { Audit, AuditEvent } from "../core/audit.ts";
import { impersonatorOf, type SignedInActor } from "../core/auth/actor.ts";
import type { Clock } from "../core/clock.ts";
import { clientNetworkOf } from "../core/http/rate-limits.ts";
import type { Job } from "../core/jobs.ts";

/** A refused call. `actor` is null for callers without a known credential. `reason` is the error code. */
export type Denial = { actor: SignedInActor | null; ip: string; operation: string; reason: string; requestId: string };

/** Maximum of rows per window: for one user, for all callers without a known credential, and for all together. */
const MAX_ROWS = { perUser: 30, unknown: 100, all: 300 };
const WINDOW_MS = 600_000;

type DenialWindow = { denial: Denial; startedAt: number; repeats: number };

/**
 * Writes refused calls to the audit log. Callers can cause any number of refusals, so rows are limited: the first one of a
 * caller, address, operation and reason is written immediately; repetitions within ten minutes are counted and written as
 * one more row. Refusals above the limits are only counted, in the next row that is written. Rows are written one after
 * the other after the response, so calls do not wait for them. Each process has limits of its own: with several there may
 * be more rows, and no refusal is counted twice. `onError` receives errors of writing.
 */
export function createDenialLog(audit: Audit, clock: Clock, onError: (error: unknown) => void, maxRows = MAX_ROWS) {
  const windows = new Map<string, DenialWindow>();
  let skippedCount = 0;
  let pendingWrites: Promise<void> = Promise.resolve();

  function write({ actor, ip, operation, reason, requestId }: Denial, counts: Record<string, number>): void {
    const event: AuditEvent = {
      ...(actor ? { actor: { ...actor, ip } } : { userId: null, ip }),
      action: "access.denied",
      details: { operation, reason, request_id: requestId, ...counts },
    };
    pendingWrites = pendingWrites.then(() => audit.record(event)).catch(onError);
  }

  function hasRoom({ actor }: Denial): boolean {
    if (windows.size >= maxRows.all) return false;
    const userWindows = [...windows.values()].filter(({ denial }) => denial.actor?.userId === actor?.userId);
    return userWindows.length < (actor ? maxRows.perUser : maxRows.unknown);
  }

  function closeWindow(key: string, { denial, repeats }: DenialWindow): void {
    windows.delete(key);
    if (repeats > 0) write(denial, { repeated: repeats });
  }

  function closeExpiredWindows(): void {
    const cutoff = clock.now().getTime() - WINDOW_MS;
    for (const [key, window] of windows) if (window.startedAt <= cutoff) closeWindow(key, window);
  }

  return {
    record(denial: Denial): void {
      closeExpiredWindows();
      const key = toWindowKey(denial);
      const existing = windows.get(key);
      if (existing) existing.repeats += 1;
      else if (!hasRoom(denial)) skippedCount += 1;
      else {
        windows.set(key, { denial, startedAt: clock.now().getTime(), repeats: 0 });
        write(denial, skippedCount > 0 ? { refusals_left_out: skippedCount } : {});
        skippedCount = 0;
      }
    },

    /** Writes the number of repetitions of windows that have expired. */
    job: {
      name: "count repeated refusals",
      everySeconds: 60,
      onEveryReplica: true,
      run: async () => {
        closeExpiredWindows();
        await pendingWrites;
      },
    } satisfies Job,

    /** Resolves when all pending rows are written. */
    settled: () => pendingWrites,
  };
}

/** Records refused calls. */
export type DenialLog = ReturnType<typeof createDenialLog>;

function toWindowKey({ actor, ip, operation, reason }: Denial): string {
  const actorKey = actor && [actor.userId, impersonatorOf(actor), actor.credential.type];
  return JSON.stringify([actorKey, clientNetworkOf(ip), operation, reason]);
}
