import { sql } from "kysely";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { Job } from "../../platform/core/jobs.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { LiveModels } from "./live-models.ts";
import { modelAvailableMail } from "./model-requests.mails.ts";

type Deps = {
  db: Database;
  liveModels: Pick<LiveModels, "availability">;
  mail: Mail;
  events: Events;
  clock: Clock;
  publicUrl: string;
};
type RequestedModel = { id: string; id_lower: string };

/** Creates the job that closes the requests of models that can be called now, and tells the users by mail. */
export function createAnswerRequestsJob(deps: Deps): Job {
  return { name: "answer model requests", everySeconds: 30, run: () => answerRequests(deps) };
}

async function answerRequests(deps: Deps): Promise<void> {
  for (const model of await listRequestedModels(deps.db)) {
    const { tier } = deps.liveModels.availability(model.id);
    if (tier === "warm" || tier === "cold") await answerRequestsOf(deps, model);
  }
}

/** Returns the public models with open requests. Disabled models are left out. */
function listRequestedModels(db: Database): Promise<RequestedModel[]> {
  return db
    .selectFrom("models")
    .select(["id", "id_lower"])
    .where("organization_id", "is", null)
    .where("disabled_at", "is", null)
    .where("id_lower", "in", (eb) =>
      eb.selectFrom("model_requests").select("model_requests.id_lower").where("answered_at", "is", null),
    )
    .execute();
}

/** Closes the requests of a model and queues the mails to the users who made them, in one transaction. */
async function answerRequestsOf(deps: Deps, { id, id_lower }: RequestedModel): Promise<void> {
  const { db, mail, events, clock, publicUrl } = deps;
  await db.transaction().execute(async (trx) => {
    const answered = await trx
      .updateTable("model_requests")
      .set({ answered_at: clock.now(), hub_token: null })
      .where("id_lower", "=", id_lower)
      .where("answered_at", "is", null)
      .returning(["requested_by", "organization_id"])
      .execute();
    await trx
      .updateTable("models")
      .set({ status: "not_deployed" })
      .where("id", "=", id)
      .where("status", "=", "pending_deploy")
      .execute();
    for (const organizationId of new Set(answered.flatMap(({ organization_id }) => organization_id ?? [])))
      await events.record(organizationId, { type: "model.available", data: { id } }, trx);
    const userIds = answered.flatMap(({ requested_by }) => requested_by ?? []);
    if (userIds.length === 0) return;
    const users = await trx
      .selectFrom("users")
      .select("email")
      .where("id", "in", userIds)
      .where("suspended_at", "is", null)
      .orderBy(sql`id`)
      .execute();
    const values = { model: id, chat_link: `${publicUrl}/chat?model=${encodeURIComponent(id)}` };
    for (const { email } of users) await mail.send({ template: modelAvailableMail, values, to: email }, trx);
  });
}
