import type { FastifyReply } from "fastify";
import { type LiveCalls, unitsOf } from "../../gateway/index.ts";
import type { CurrentPlan } from "../../money/plans/index.ts";
import type { ReadLog } from "../../platform/audit/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../platform/core/time.ts";
import type { TakeTurn } from "../../platform/core/turns.ts";
import { listRequests } from "./list-requests.ts";
import {
  DEFAULT_ACTIVITY_MS,
  limitToKept,
  type Period,
  parsePeriod,
  toCountedPeriod,
  toKeptSinceDate,
} from "./period.ts";
import type { PlaceCosts } from "./place-costs.ts";
import { toReceiptDto, toTotalsDto } from "./receipt.dto.ts";
import { formatReportAsCsv, ORGANIZATION_FIGURES, PLATFORM_FIGURES } from "./report-csv.ts";
import type { RunningRequest } from "./units-over-time.ts";
import type { OrganizationReportGroup, PlatformReportRow, ReportRow, UsageRepository } from "./usage.repository.ts";

type Deps = {
  usageRepository: UsageRepository;
  placeCosts: PlaceCosts;
  readLog: ReadLog;
  liveCalls: Pick<LiveCalls, "readSnapshot">;
  clock: Clock;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  /** Limits concurrent reports, because reading very many requests takes seconds. */
  takeReportTurn: TakeTurn;
};

/** Length of a slice and the default period by bucket, in milliseconds. */
const SLICES = {
  minute: { sliceMs: MINUTE_MS, defaultPeriodMs: HOUR_MS },
  hour: { sliceMs: HOUR_MS, defaultPeriodMs: 7 * DAY_MS },
  day: { sliceMs: DAY_MS, defaultPeriodMs: 30 * DAY_MS },
} as const;
const MAX_SLICES = 1_500;

/** Handlers of `usage.*` and `admin.usage`. */
export function usageRoutes(deps: Deps): Handlers {
  return { ...activityRoutes(deps), ...unitRoutes(deps), ...adminRoutes(deps) };
}

/** Handlers of the requests of the caller's organization: totals, report, list and receipt. */
function activityRoutes(deps: Deps): Handlers {
  const { usageRepository, placeCosts, readLog, takeReportTurn, clock } = deps;
  return {
    "usage.activity.requests": ({ actor, query }) => listRequests(deps, actor, query),

    "usage.activity.summary": async ({ actor, query }) => {
      const period = parsePeriod(query, clock.now(), DEFAULT_ACTIVITY_MS);
      const keptSince = await usageRepository.readKeptSince();
      const totals = await usageRepository.readTotals(actor.organizationId, period, keptSince);
      return {
        start_date: period.start.toISOString(),
        end_date: period.end.toISOString(),
        totals: toTotalsDto(totals),
      };
    },

    "usage.activity.report": async ({ actor, query, reply }) => {
      const period = parsePeriod(query, clock.now(), DEFAULT_ACTIVITY_MS);
      const groups = (query.group_by ?? "day").split(",") as OrganizationReportGroup[];
      if (new Set(groups).size < groups.length)
        throw errors.invalidRequest("group_by names the same twice.", { param: "group_by" });
      const keptSince = await usageRepository.readKeptSince();
      const counted = toCountedPeriod(period, keptSince);
      const rows = await takeReportTurn(() =>
        usageRepository.organizationReport(actor.organizationId, counted, groups),
      );
      const items = rows.map(toReportItem);
      if (query.format === "csv") {
        await readLog.record({ actor, action: "usage.export", target: null, details: toAuditDetails(period) });
        return sendCsv(reply, formatReportAsCsv(groups, items, ORGANIZATION_FIGURES));
      }
      return {
        start_date: counted.start.toISOString(),
        end_date: counted.end.toISOString(),
        kept_since_date: toKeptSinceDate(keptSince),
        items,
      };
    },

    "usage.requests.get": async ({ actor, path }) => {
      const row = await usageRepository.find(actor.organizationId, path.id);
      if (!row) throw errors.usage.notFound();
      return { ...toReceiptDto(row, actor), place_costs: await placeCosts.list(actor.organizationId, row) };
    },
  };
}

/** Handler of the use of units over time. */
function unitRoutes(deps: Deps): Handlers {
  const { clock, currentPlan, usageRepository } = deps;

  return {
    "usage.concurrencies": async ({ actor, query }) => {
      const { organizationId } = actor;
      const slice = SLICES[query.bucket ?? "hour"];
      const keptSince = await usageRepository.readKeptSince();
      const period = limitToKept(parsePeriod(query, clock.now(), slice.defaultPeriodMs), keptSince);
      const [items, plan] = await Promise.all([
        unitsBySlice(deps, organizationId, period, slice.sliceMs),
        currentPlan(organizationId),
      ]);
      return {
        limit: unitsOf(plan),
        peak: Math.max(0, ...items.map((item) => item.used_max)),
        kept_since_date: toKeptSinceDate(keptSince),
        items,
      };
    },
  };
}

/** Handler of the report of all organizations. */
function adminRoutes({ usageRepository, readLog, takeReportTurn, clock }: Deps): Handlers {
  return {
    "admin.usage": async ({ actor, body, reply }) => {
      const period = parsePeriod(body, clock.now(), DAY_MS);
      const groups = body.group_by ?? [];
      const items = (await takeReportTurn(() => usageRepository.report(period, groups))).map(toPlatformReportItem);
      if (body.format !== "csv") return { items };
      const details = toAuditDetails(period);
      await readLog.record({ actor: actor, action: "usage.export", target: null, details });
      return sendCsv(reply, formatReportAsCsv(groups, items, PLATFORM_FIGURES));
    },
  };
}

/** Returns the running requests, which have no row yet. */
async function listRunningRequests({ liveCalls, clock }: Deps, organizationId: string): Promise<RunningRequest[]> {
  const end = clock.now();
  const { requests } = await liveCalls.readSnapshot(organizationId);
  return requests.map(({ id, cost, startedAt }) => ({ id, start: startedAt, end, units: cost }));
}

/** Returns the used units and the refusals of each slice of a period. Throws `invalid_request` for too many. */
async function unitsBySlice(deps: Deps, organizationId: string, period: Period, sliceMs: number) {
  const { usageRepository, takeReportTurn } = deps;
  if ((period.end.getTime() - period.start.getTime()) / sliceMs > MAX_SLICES)
    throw errors.invalidRequest(
      `A period may have at most ${MAX_SLICES} slices. Take longer slices or a shorter period.`,
      { param: "bucket" },
    );
  const runningRequests = await listRunningRequests(deps, organizationId);
  const [slices, refusals] = await Promise.all([
    takeReportTurn(() =>
      usageRepository.readUnitsOverTime({ organizationId, period, sliceMs, running: runningRequests }),
    ),
    usageRepository.readRefusals(organizationId, period, sliceMs),
  ]);
  if (slices === null)
    throw errors.invalidRequest("There are too many requests in this period. Take a shorter one.", {
      param: "start",
    });
  return slices.map(({ at, usedMax, usedAvg }) => ({
    bucket_at: at.toISOString(),
    used_max: usedMax,
    used_avg: Math.round(usedAvg * 1000) / 1000,
    rejected: refusals.get(at.getTime()) ?? 0,
  }));
}

const toAuditDetails = ({ start, end }: Period) => ({ start_date: start.toISOString(), end_date: end.toISOString() });

const toPlatformReportItem = (row: PlatformReportRow) => ({
  ...toReportItem(row),
  provider_cost_nano_usd: row.providerCostNanoUsd,
  margin_nano_usd: String(BigInt(row.costNanoUsd) - BigInt(row.providerCostNanoUsd)),
  unknown_cost_count: row.unknownCostRequests,
});

const toReportItem = (row: ReportRow) => ({
  group: row.group,
  request_count: row.requests,
  error_count: row.errors,
  input_tokens: row.inputTokens,
  output_tokens: row.outputTokens,
  cost_nano_usd: row.costNanoUsd,
});

function sendCsv(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .type("text/csv; charset=utf-8")
    .header("content-disposition", 'attachment; filename="usage.csv"')
    .send(text);
}
