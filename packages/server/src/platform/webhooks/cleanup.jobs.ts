import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import type { Job } from "../core/jobs.ts";
import { DAY_MS, HOUR_S } from "../core/time.ts";

const RETENTION_MS = 30 * DAY_MS;

/** Creates the job that deletes deliveries after 30 days, events without deliveries, and expired secrets. */
export function createCleanupJob(db: Database, clock: Clock): Job {
  return { name: "delete old webhook deliveries", everySeconds: HOUR_S, run: () => deleteOld(db, clock.now()) };
}

async function deleteOld(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_MS);
  await db.deleteFrom("webhook_deliveries").where("created_at", "<", before).execute();
  await db
    .deleteFrom("webhook_events")
    .where("created_at", "<", before)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom("webhook_deliveries").select("id").whereRef("event_id", "=", "webhook_events.id")),
      ),
    )
    .execute();
  await db
    .updateTable("webhook_endpoints")
    .set({ previous_secret: null, previous_secret_expires_at: null })
    .where("previous_secret_expires_at", "<=", now)
    .execute();
}
