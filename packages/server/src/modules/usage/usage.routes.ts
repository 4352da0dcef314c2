import type { FastifyReply } from "fastify";
import type { Units } from "../../gateway/units.ts";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { Clock } from "../../shared/clock.ts";
import { invalidRequest, notFound } from "../../shared/errors.ts";
import type { ReadLog } from "../audit/read-log.ts";
import type { CurrentPlan } from "../plans/plans.repository.ts";
import { type Period, periodOf } from "./period.ts";
import { presentReceipt } from "./receipt.ts";
import { reportAsCsv } from "./report-csv.ts";
import type { Running } from "./units-over-time.ts";
import type { OwnGroup, ReportRow, UsageRepository } from "./usage.repository.ts";

type Deps = {
  usageRows: UsageRepository;
  readings: ReadLog;
  units: Units;
  clock: Clock;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  unitsOf(plan: CurrentPlan): number | null;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const USUAL_ACTIVITY = 30 * DAY;

/** Length of a slice and the default period by bucket, in milliseconds. */
const SLICES = {
  minute: { length: MINUTE, usual: HOUR },
  hour: { length: HOUR, usual: 7 * DAY },
  day: { length: DAY, usual: 30 * DAY },
} as const;
const MOST_SLICES = 1_500;

/** Handlers of `usage.*` and `admin.usage`. */
export function usageRoutes({ usageRows, readings, units, clock, currentPlan, unitsOf }: Deps): Handlers {
  /** Returns the running requests, which have no row yet. */
  async function running(organizationId: string, now: Date): Promise<Running[]> {
    const { requests } = await units.live(organizationId);
    return requests.map(({ id, cost, startedAt }) => ({ id, start: startedAt, end: now, units: cost }));
  }

  async function unitsBySlice(organizationId: string, period: Period, sliceMs: number) {
    if ((period.end.getTime() - period.start.getTime()) / sliceMs > MOST_SLICES)
      throw invalidRequest(`A period may have at most ${MOST_SLICES} slices. Take longer slices or a shorter period.`, {
        param: "bucket",
      });
    const held = await running(organizationId, clock.now());
    const [slices, refusals] = await Promise.all([
      usageRows.unitsOverTime({ organizationId, period, sliceMs, running: held }),
      usageRows.refusals(organizationId, period, sliceMs),
    ]);
    if (slices === null)
      throw invalidRequest("There are too many requests in this period. Take a shorter one.", { param: "start" });
    return slices.map(({ at, usedMax, usedAvg }) => ({
      bucket_at: at.toISOString(),
      used_max: usedMax,
      used_avg: Math.round(usedAvg * 1000) / 1000,
      rejected: refusals.get(at.getTime()) ?? 0,
    }));
  }

  return {
    "usage.activity.summary": async ({ actor, query }) => {
      const period = periodOf(query, clock.now(), USUAL_ACTIVITY);
      const totals = await usageRows.totals(signedIn(actor).organizationId, period);
      return {
        start_date: period.start.toISOString(),
        end_date: period.end.toISOString(),
        totals: {
          request_count: totals.requests,
          input_tokens: totals.inputTokens,
          output_tokens: totals.outputTokens,
          total_tokens: totals.inputTokens + totals.outputTokens,
          total_cost_nano_usd: totals.costNanoUsd,
        },
      };
    },

    "usage.activity.report": async ({ actor, query, reply }) => {
      const period = periodOf(query, clock.now(), USUAL_ACTIVITY);
      const groups = (query.group_by ?? "day").split(",") as OwnGroup[];
      if (new Set(groups).size < groups.length)
        throw invalidRequest("group_by names the same twice.", { param: "group_by" });
      const user = signedIn(actor);
      const items = (await usageRows.ownReport(user.organizationId, period, groups)).map(presentRow);
      if (query.format === "csv") {
        await readings.record({ actor: user, action: "usage.export", target: null, details: detailsOf(period) });
        return sendCsv(reply, reportAsCsv(groups, items));
      }
      return { start_date: period.start.toISOString(), end_date: period.end.toISOString(), items };
    },

    "usage.activity.requests": async ({ actor, query }) => {
      const { organizationId } = signedIn(actor);
      const period = periodOf(query, clock.now(), USUAL_ACTIVITY);
      const page = pageOf(query);
      const [rows, total] = await Promise.all([
        usageRows.list(organizationId, period, page.limit, page.offset),
        usageRows.totals(organizationId, period),
      ]);
      return { items: rows.map(presentReceipt), pagination: pagination(page, total.requests) };
    },

    "usage.requests.get": async ({ actor, path }) => {
      const row = await usageRows.find(signedIn(actor).organizationId, path.id);
      if (!row) throw notFound("There is no request with this id.", "usage.not_found");
      return presentReceipt(row);
    },

    "usage.concurrencies": async ({ actor, query }) => {
      const { organizationId } = signedIn(actor);
      const slice = SLICES[query.bucket ?? "hour"];
      const period = periodOf(query, clock.now(), slice.usual);
      const [items, plan] = await Promise.all([
        unitsBySlice(organizationId, period, slice.length),
        currentPlan(organizationId),
      ]);
      return { limit: unitsOf(plan), peak: Math.max(0, ...items.map((item) => item.used_max)), items };
    },

    "admin.usage": async ({ actor, body, reply }) => {
      const period = periodOf(body, clock.now(), DAY);
      const groups = body.group_by ?? [];
      const items = (await usageRows.report(period, groups)).map(presentRow);
      if (body.format !== "csv") return { items };
      const details = detailsOf(period);
      await readings.record({ actor: signedIn(actor), action: "usage.export", target: null, details });
      return sendCsv(reply, reportAsCsv(groups, items));
    },
  };
}

const detailsOf = ({ start, end }: Period) => ({ start_date: start.toISOString(), end_date: end.toISOString() });

const presentRow = (row: ReportRow) => ({
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
