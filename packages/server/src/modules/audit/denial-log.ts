import { impersonatorOf, type SignedIn } from "../../http/actor.ts";
import { placeOf } from "../../http/address-limits.ts";
import type { Job } from "../../jobs/jobs.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Act, Audit } from "./audit.ts";

/** A refused call whose credential is known. `reason` is the error code. */
export type Denial = { actor: SignedIn; operation: string; reason: string; requestId: string };

/** Maximum of rows per window: for one user, and for all users together. */
const MAX_ROWS = { perUser: 30, all: 300 };
const WINDOW_MS = 600_000;

type Window = { denial: Denial; startedAt: number; repeats: number };

/**
 * Writes refused calls to the audit log. Callers can cause any number of refusals, so rows are limited: the first one of a
 * user, address, operation and reason is written immediately; repetitions within ten minutes are counted and written as
 * one more row. Refusals above the limits are only counted, in the next row that is written. Rows are written one after
 * the other after the response, so calls do not wait for them. `onError` receives errors of writing.
 */
export function createDenialLog(audit: Audit, clock: Clock, failed: (error: unknown) => void, maxRows = MAX_ROWS) {
  const windows = new Map<string, Window>();
  let leftOut = 0;
  let written: Promise<void> = Promise.resolve();

  function write({ actor, operation, reason, requestId }: Denial, counts: Record<string, number>): void {
    const act: Act = {
      actor,
      action: "access.denied",
      details: { operation, reason, request_id: requestId, ...counts },
    };
    written = written.then(() => audit.record(act)).catch(failed);
  }

  function hasRoom({ userId }: SignedIn): boolean {
    if (windows.size >= maxRows.all) return false;
    const ofUser = [...windows.values()].filter(({ denial }) => denial.actor.userId === userId);
    return ofUser.length < maxRows.perUser;
  }

  function endWindow(key: string, { denial, repeats }: Window): void {
    windows.delete(key);
    if (repeats > 0) write(denial, { repeated: repeats });
  }

  function endWindows(): void {
    const before = clock.now().getTime() - WINDOW_MS;
    for (const [key, window] of windows) if (window.startedAt <= before) endWindow(key, window);
  }

  return {
    record(denial: Denial): void {
      endWindows();
      const key = keyOf(denial);
      const open = windows.get(key);
      if (open) open.repeats += 1;
      else if (!hasRoom(denial.actor)) leftOut += 1;
      else {
        windows.set(key, { denial, startedAt: clock.now().getTime(), repeats: 0 });
        write(denial, leftOut > 0 ? { refusals_left_out: leftOut } : {});
        leftOut = 0;
      }
    },

    /** Writes the number of repetitions of windows that have expired. */
    job: {
      name: "count repeated refusals",
      everySeconds: 60,
      run: async () => {
        endWindows();
        await written;
      },
    } satisfies Job,

    /** Resolves when all pending rows are written. */
    settled: () => written,
  };
}

/** Records refused calls. */
export type DenialLog = ReturnType<typeof createDenialLog>;

function keyOf({ actor, operation, reason }: Denial): string {
  const who = [actor.userId, impersonatorOf(actor), actor.credential.type, placeOf(actor.ip ?? "")];
  return JSON.stringify([...who, operation, reason]);
}
