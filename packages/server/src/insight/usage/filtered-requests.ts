import { sql } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import type { Period } from "./period.ts";
import type { RequestRow, UsageTotals } from "./request-rows.ts";

/** Conditions of a list of requests; all of them must hold. */
export type RequestFilter = {
  /** The id of a request, or its beginning. */
  id?: string | undefined;
  /** The id of an API key; `none` for requests without one. */
  api_key_id?: string | undefined;
  user_id?: string | undefined;
  /** The id with which the organization calls the model. */
  model?: string | undefined;
  outcome?: string | undefined;
  place?: string | undefined;
  deployment_id?: string | undefined;
};

/** Stands for requests without an API key. */
const NO_KEY = "none";

/** Whether a filter has a condition. */
export const hasConditions = (filter: RequestFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

/**
 * Selects the requests of an organization and a period that a filter leaves. The primary key finds those whose ids begin
 * with a text. Otherwise the index by organization and time finds those of the period, which are compared one by one:
 * another index would cost every call as much as the row itself.
 */
export function selectFiltered(db: Database, organizationId: string, { start, end }: Period, filter: RequestFilter) {
  const { id, api_key_id, user_id, model, outcome, place, deployment_id } = filter;
  return db
    .selectFrom("requests")
    .where("organization_id", "=", organizationId)
    .where("started_at", ">=", start)
    .where("started_at", "<", end)
    .$if(id !== undefined, (query) => query.where((eb) => eb.fn("starts_with", ["id", eb.val(id)]), "=", true))
    .$if(api_key_id !== undefined, (query) =>
      api_key_id === NO_KEY ? query.where("api_key_id", "is", null) : query.where("api_key_id", "=", api_key_id ?? ""),
    )
    .$if(user_id !== undefined, (query) => query.where("user_id", "=", user_id ?? ""))
    .$if(model !== undefined, (query) =>
      query.where("model_id", "in", [model ?? "", privateModelKey(organizationId, model ?? "")]),
    )
    .$if(outcome !== undefined, (query) => query.where("outcome", "=", outcome ?? ""))
    .$if(place !== undefined, (query) => query.where("place", "=", place ?? ""))
    .$if(deployment_id !== undefined, (query) => query.where("backend", "=", deployment_id ?? ""));
}

/** Which rows of a list to return, and in which order of their start. */
export type RequestPage = { limit: number; offset: number; direction: "asc" | "desc" };

/** Returns the requests of a period that a filter leaves. */
export function listFiltered(
  db: Database,
  organizationId: string,
  period: Period,
  filter: RequestFilter,
  { limit, offset, direction }: RequestPage,
): Promise<RequestRow[]> {
  return selectFiltered(db, organizationId, period, filter)
    .selectAll()
    .orderBy("started_at", direction)
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Returns the sums of the requests of a period that a filter leaves. */
export async function sumFiltered(
  db: Database,
  organizationId: string,
  period: Period,
  filter: RequestFilter,
): Promise<UsageTotals> {
  const { requests, input, output, cost } = await selectFiltered(db, organizationId, period, filter)
    .select([
      sql<number>`count(*)::float8`.as("requests"),
      sql<number>`coalesce(sum(prompt_tokens), 0)::float8`.as("input"),
      sql<number>`coalesce(sum(completion_tokens), 0)::float8`.as("output"),
      sql<string>`coalesce(sum(cost_nano_usd), 0)::text`.as("cost"),
    ])
    .executeTakeFirstOrThrow();
  return { requests, inputTokens: input, outputTokens: output, costNanoUsd: cost };
}
