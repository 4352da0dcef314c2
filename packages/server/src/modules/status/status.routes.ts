import { LRUCache } from "lru-cache";
import type { Database } from "../../db/connect.ts";
import type { Handlers } from "../../http/bind.ts";
import type { Clock } from "../../shared/clock.ts";
import { type ErrorRate, errorRates, type HourlyRate, hourlyRates, stateOf } from "./error-rates.ts";

const WINDOW_S = 3_600;
/** How long error rates are cached, in milliseconds; all visitors share one query. */
const FRESH = 10_000;
/** How long the last day is cached: the query is more expensive, and its result changes slowly. */
const FRESH_DAY = 60_000;
const HOUR = 3_600_000;
const HOURS = 24;

type By = "model_class" | "model";
type Looked = { at: Date; rates: ErrorRate[] };

/** Handlers of the error rates on the status page. Results are cached for `cacheMs` milliseconds. */
export function statusRoutes({
  db,
  clock,
  cacheMs = FRESH,
}: {
  db: Database;
  clock: Clock;
  cacheMs?: number;
}): Handlers {
  const known = new LRUCache<By, Looked>({
    max: 2,
    fetchMethod: async (by) => {
      const at = clock.now();
      return { at, rates: await errorRates(db, new Date(at.getTime() - WINDOW_S * 1000), by) };
    },
  });

  let day: { at: Date; rates: Promise<HourlyRate[]> } | null = null;

  /** Returns the rates of all classes with one query, which concurrent and later requests share for a minute. */
  async function lookAtDay(): Promise<{ at: Date; rates: HourlyRate[] }> {
    const at = clock.now();
    if (day === null || at.getTime() - day.at.getTime() >= Math.min(FRESH_DAY, cacheMs * 6)) {
      const looked = { at, rates: hourlyRates(db, firstHour(at)) };
      day = looked;
      looked.rates.catch(() => {
        if (day === looked) day = null; // a failure is not cached
      });
    }
    return { at: day.at, rates: await day.rates };
  }

  async function look(by: By): Promise<Looked> {
    const cached = known.peek(by);
    const stale = !cached || clock.now().getTime() - cached.at.getTime() >= cacheMs;
    return known.forceFetch(by, { forceRefresh: stale });
  }

  return {
    "status.errorRates": async ({ query }) => {
      const { at, rates } = await look(query.group_by ?? "model_class");
      return {
        window_s: WINDOW_S,
        updated_at: at.toISOString(),
        items: rates.map((rate) => ({
          model_class: rate.modelClass,
          model_id: rate.modelId,
          requests: rate.requests,
          errors: rate.errors,
          error_rate: rateOf(rate),
          p50_ttft_ms: rate.p50FirstByteMs,
          p95_ttft_ms: rate.p95FirstByteMs,
          tokens_per_s: rate.tokensPerSecond,
          state: stateOf(rate),
        })),
      };
    },

    "status.history": async ({ query }) => {
      const { at, rates } = await lookAtDay();
      const wanted = rates.filter(({ modelClass }) => modelClass === (query.model_class ?? null));
      const byHour = new Map(wanted.map((rate) => [rate.hour.getTime(), rate]));
      const first = firstHour(at).getTime();
      return {
        updated_at: at.toISOString(),
        items: Array.from({ length: HOURS }, (_, index) => {
          const started = first + index * HOUR;
          const rate = byHour.get(started);
          return {
            started_at: new Date(started).toISOString(),
            requests: rate?.requests ?? 0,
            errors: rate?.errors ?? 0,
            error_rate: rate ? rateOf(rate) : null,
            p50_ttft_ms: rate?.p50FirstByteMs ?? null,
            tokens_per_s: rate?.tokensPerSecond ?? null,
          };
        }),
      };
    },
  };
}

const firstHour = (now: Date): Date => new Date((Math.floor(now.getTime() / HOUR) - HOURS + 1) * HOUR);

const rateOf = ({ requests, errors }: Pick<ErrorRate, "requests" | "errors">): number =>
  Math.round((errors / requests) * 10_000) / 10_000;
