import { sql } from "kysely";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Job } from "../../platform/core/jobs.ts";
import { DAY_MS, HOUR_S } from "../../platform/core/time.ts";

/** Replaces the id of a deleted organization. */
const DELETED_ORGANIZATION_ID = "deleted";

/** Anonymizes the usage of deleted organizations, so that past reports keep their sums. */
export async function anonymizeOrganizationsUsage(organizationIds: readonly string[], trx: Database): Promise<void> {
  if (organizationIds.length === 0) return;
  await trx
    .updateTable("requests")
    .set({
      organization_id: DELETED_ORGANIZATION_ID,
      user_id: null,
      api_key_id: null,
      model_id: sql`model_id_of(model_id)`,
    })
    .where("organization_id", "in", organizationIds)
    .execute();
  await sql`
    insert into usage_hours as sums (hour, organization_id, model_id, model_class_id, backend, outcome, requests, errors,
      prompt_tokens, completion_tokens, cost_nano_usd, provider_cost_nano_usd, unknown_cost_requests)
    select hour, ${DELETED_ORGANIZATION_ID}, model_id_of(model_id), model_class_id, backend, outcome, sum(requests), sum(errors), sum(prompt_tokens),
      sum(completion_tokens), sum(cost_nano_usd), sum(provider_cost_nano_usd), sum(unknown_cost_requests)
    from usage_hours where organization_id in (${sql.join(organizationIds)})
    group by hour, model_id_of(model_id), model_class_id, backend, outcome
    on conflict (organization_id, hour, model_id, model_class_id, backend, outcome) do update set
      requests = sums.requests + excluded.requests,
      errors = sums.errors + excluded.errors,
      prompt_tokens = sums.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = sums.completion_tokens + excluded.completion_tokens,
      cost_nano_usd = sums.cost_nano_usd + excluded.cost_nano_usd,
      provider_cost_nano_usd = sums.provider_cost_nano_usd + excluded.provider_cost_nano_usd,
      unknown_cost_requests = sums.unknown_cost_requests + excluded.unknown_cost_requests`.execute(trx);
  await trx.deleteFrom("usage_hours").where("organization_id", "in", organizationIds).execute();
}

/** Removes the user and their keys from the usage of organizations that remain. */
export async function anonymizeUserUsage(userId: string, trx: Database): Promise<void> {
  await trx.updateTable("requests").set({ user_id: null, api_key_id: null }).where("user_id", "=", userId).execute();
}

/** Creates the job that anonymizes requests which were stored after their organization was deleted. */
export function createLateUsageJob(db: Database, clock: Clock): Job {
  return {
    name: "remove the owners of old usage",
    everySeconds: HOUR_S,
    run: async () => {
      const rows = await db
        .selectFrom("usage_hours")
        .select("organization_id")
        .distinct()
        .where("hour", ">", new Date(clock.now().getTime() - DAY_MS))
        .where("organization_id", "<>", DELETED_ORGANIZATION_ID)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("organizations")
                .select("organizations.id")
                .whereRef("organizations.id", "=", "usage_hours.organization_id"),
            ),
          ),
        )
        .execute();
      const ids = rows.map(({ organization_id }) => organization_id);
      await db.transaction().execute((trx) => anonymizeOrganizationsUsage(ids, trx));
    },
  };
}
