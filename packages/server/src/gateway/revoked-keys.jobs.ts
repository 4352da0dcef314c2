import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { errors } from "../core/errors/index.ts";
import type { Job } from "../core/jobs.ts";
import type { RunningCalls } from "./running-calls.ts";

/**
 * Job that aborts running calls whose API key was deleted, disabled or has expired, by any process: keys are otherwise
 * only checked when a call starts.
 */
export function createRevokedKeysJob(db: Database, running: RunningCalls, clock: Clock): Job {
  return {
    name: "end calls of keys that no longer hold",
    everySeconds: 2,
    async run() {
      const ids = running.keyIds();
      if (ids.length === 0) return;
      const rows = await db
        .selectFrom("api_keys")
        .select(["id", "disabled", "expires_at"])
        .where("id", "in", ids)
        .where("deleted_at", "is", null)
        .execute();
      const known = new Map(rows.map((row) => [row.id, row]));
      const now = clock.now();
      for (const id of ids) {
        const key = known.get(id);
        if (!key) running.abortByKey(id, errors.unauthorized("This API key was deleted."));
        else if (key.disabled) running.abortByKey(id, errors.keyDisabled());
        else if (key.expires_at && key.expires_at <= now) running.abortByKey(id, errors.keyExpired());
      }
    },
  };
}
