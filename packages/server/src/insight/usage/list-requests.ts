import { requirePermission, type SignedInActor } from "../../platform/core/auth/actor.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { HandlerInput, ResponseOf } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import type { TakeTurn } from "../../platform/core/turns.ts";
import { hasConditions, type RequestFilter } from "./filtered-requests.ts";
import { DEFAULT_ACTIVITY_MS, limitToKept, parsePeriod, toKeptSinceDate } from "./period.ts";
import { toReceiptDto, toTotalsDto } from "./receipt.dto.ts";
import type { UsageRepository } from "./usage.repository.ts";

type Deps = { usageRepository: UsageRepository; clock: Clock; takeReportTurn: TakeTurn };
type Query = HandlerInput<"usage.activity.requests">["query"];

/**
 * Returns a page of the requests of the caller's organization, and the sums of all of them. Throws 403 for a filter by
 * another member without `manage_members`.
 */
export async function listRequests(
  { usageRepository, clock, takeReportTurn }: Deps,
  actor: SignedInActor,
  query: Query,
): Promise<ResponseOf<"usage.activity.requests">> {
  const { organizationId } = actor;
  const filter = toFilter(query);
  if (filter.user_id !== undefined && filter.user_id !== actor.userId) requirePermission(actor, "manage_members");
  const page = parsePage(query);
  const keptSince = await usageRepository.readKeptSince();
  const period = limitToKept(parsePeriod(query, clock.now(), DEFAULT_ACTIVITY_MS), keptSince);
  const rowsOfPage = { ...page, direction: query.sort === "started_at" ? "asc" : "desc" } as const;
  const [rows, totals] = await Promise.all([
    takeReportTurn(() => usageRepository.list(organizationId, period, filter, rowsOfPage)),
    hasConditions(filter)
      ? takeReportTurn(() => usageRepository.sum(organizationId, period, filter))
      : usageRepository.readTotals(organizationId, period, keptSince), // sums of hours, which are there already
  ]);
  return {
    items: rows.map((row) => toReceiptDto(row, actor)),
    pagination: toPagination(page, totals.requests),
    totals: toTotalsDto(totals),
    kept_since_date: toKeptSinceDate(keptSince),
  };
}

function toFilter({ id, api_key_id, user_id, model, outcome, place, deployment_id }: Query): RequestFilter {
  return { id, api_key_id, user_id, model, outcome, place, deployment_id };
}
