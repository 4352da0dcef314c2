import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Job } from "../../../platform/core/jobs.ts";
import { HOUR_S } from "../../../platform/core/time.ts";
import { SESSION_IDLE_TIMEOUT_MS } from "./auth.usecases.ts";

/** Creates the job that removes the address and program from ended sessions. The times of use are kept. */
export function createEndedSessionsJob(db: Database, clock: Clock): Job {
  return {
    name: "delete where ended sessions were used",
    everySeconds: HOUR_S,
    run: async () => {
      const now = clock.now();
      const idleSince = new Date(now.getTime() - SESSION_IDLE_TIMEOUT_MS);
      await db
        .updateTable("sessions")
        .set({ ip: null, user_agent: null })
        .where((eb) => eb.or([eb("ip", "is not", null), eb("user_agent", "is not", null)]))
        .where((eb) =>
          eb.or([eb("revoked_at", "is not", null), eb("expires_at", "<=", now), eb("last_seen_at", "<=", idleSince)]),
        )
        .execute();
    },
  };
}
