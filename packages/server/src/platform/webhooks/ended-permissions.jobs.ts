import type { Database } from "../core/db/connect.ts";
import type { Job } from "../core/jobs.ts";
import type { Mail } from "../mail/index.ts";
import { sendDisabledMail } from "./disabled-mail.ts";

type Deps = { db: Database; mail: Mail };

const INTERVAL_SECONDS = 60;
const BATCH_SIZE = 50;

/**
 * Returns the job that mails the admins of organizations about endpoints that the database disabled because the
 * permission of the application that made or changed them ended, in whatever way.
 */
export function createEndedPermissionsJob(deps: Deps): Job {
  return {
    name: "mail about webhooks of ended permissions",
    everySeconds: INTERVAL_SECONDS,
    run: () => sendDueNotices(deps),
  };
}

/** Sends the notices that are due, each once: the row is locked, and no longer due when the mail is stored. */
async function sendDueNotices(deps: Deps): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const endpoints = await trx
      .selectFrom("webhook_endpoints")
      .selectAll()
      .where("disabled_notice_due", "=", true)
      .orderBy("id")
      .limit(BATCH_SIZE)
      .forNoKeyUpdate()
      .skipLocked()
      .execute();
    for (const endpoint of endpoints) {
      await sendDisabledMail(deps.mail, endpoint, "permission_ended", trx);
      await trx
        .updateTable("webhook_endpoints")
        .set({ disabled_notice_due: false })
        .where("id", "=", endpoint.id)
        .execute();
    }
  });
}
