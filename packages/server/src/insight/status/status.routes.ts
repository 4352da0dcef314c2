import { LRUCache } from "lru-cache";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { HOUR_MS, HOUR_S, MINUTE_MS } from "../../platform/core/time.ts";
import { type ErrorRate, type HourlyRate, readErrorRates, readHourlyRates, toModelState } from "./error-rates.ts";

const WINDOW_S = HOUR_S;
/** How long error rates are cached, in milliseconds; all visitors of a process share one query. */
const CACHE_MS = 10_000;
/** How long the last day is cached: the query is more expensive, and its result changes slowly. */
const HISTORY_CACHE_MS = MINUTE_MS;
const HISTORY_HOURS = 24;

type GroupBy = "model_class" | "model";
type RatesSnapshot = { at: Date; rates: ErrorRate[] };

type Deps = { db: Database; clock: Clock; cacheMs?: number };
type Context = Required<Deps> & {
  cache: LRUCache<GroupBy, RatesSnapshot>;
  /** The last day. Null before the first request and after a failure. */
  history: { at: Date; rates: Promise<HourlyRate[]> } | null;
};

/** Handlers of the error rates on the status page. Results are cached for `cacheMs` milliseconds. */
export function statusRoutes({ db, clock, cacheMs = CACHE_MS }: Deps): Handlers {
  const cache = new LRUCache<GroupBy, RatesSnapshot>({
    max: 2,
    fetchMethod: async (groupBy) => {
      const at = clock.now();
      return { at, rates: await readErrorRates(db, new Date(at.getTime() - WINDOW_S * 1000), groupBy) };
    },
  });
  const context: Context = { db, clock, cacheMs, cache, history: null };

  return {
    "status.errorRates": async ({ query }) => {
      const { at, rates } = await readRates(context, query.group_by ?? "model_class");
      return { window_s: WINDOW_S, updated_at: at.toISOString(), items: rates.map(toErrorRateDto) };
    },

    "status.history": async ({ query }) => {
      const { at, rates } = await readHistory(context);
      const classRates = rates.filter(({ modelClass }) => modelClass === (query.model_class ?? null));
      return { updated_at: at.toISOString(), items: toHistoryDtos(classRates, at) };
    },
  };
}

async function readRates({ cache, clock, cacheMs }: Context, groupBy: GroupBy): Promise<RatesSnapshot> {
  const cached = cache.peek(groupBy);
  const isStale = !cached || clock.now().getTime() - cached.at.getTime() >= cacheMs;
  return cache.forceFetch(groupBy, { forceRefresh: isStale });
}

/** Returns the rates of all classes. One query is shared by the calls of one minute. */
async function readHistory(context: Context): Promise<{ at: Date; rates: HourlyRate[] }> {
  const { db, clock, cacheMs, history } = context;
  const at = clock.now();
  if (history !== null && at.getTime() - history.at.getTime() < Math.min(HISTORY_CACHE_MS, cacheMs * 6))
    return { at: history.at, rates: await history.rates };
  const snapshot = { at, rates: readHourlyRates(db, firstHour(at)) };
  context.history = snapshot;
  snapshot.rates.catch(() => {
    if (context.history === snapshot) context.history = null; // a failure is not cached
  });
  return { at: snapshot.at, rates: await snapshot.rates };
}

function toErrorRateDto(rate: ErrorRate) {
  return {
    model_class: rate.modelClass,
    model_id: rate.modelId,
    requests: rate.requests,
    errors: rate.errors,
    error_rate: toErrorRate(rate),
    p50_ttft_ms: rate.p50FirstByteMs,
    p95_ttft_ms: rate.p95FirstByteMs,
    tokens_per_s: rate.tokensPerSecond,
    state: toModelState(rate),
  };
}

/** Returns an item for each of the last 24 hours, including hours without requests. */
function toHistoryDtos(rates: readonly HourlyRate[], now: Date) {
  const byHour = new Map(rates.map((rate) => [rate.hour.getTime(), rate]));
  const first = firstHour(now).getTime();
  return Array.from({ length: HISTORY_HOURS }, (_, index) => {
    const started = first + index * HOUR_MS;
    const rate = byHour.get(started);
    return {
      started_at: new Date(started).toISOString(),
      requests: rate?.requests ?? 0,
      errors: rate?.errors ?? 0,
      error_rate: rate ? toErrorRate(rate) : null,
      p50_ttft_ms: rate?.p50FirstByteMs ?? null,
      tokens_per_s: rate?.tokensPerSecond ?? null,
    };
  });
}

const firstHour = (now: Date): Date => new Date((Math.floor(now.getTime() / HOUR_MS) - HISTORY_HOURS + 1) * HOUR_MS);

const toErrorRate = ({ requests, errors }: Pick<ErrorRate, "requests" | "errors">): number =>
  Math.round((errors / requests) * 10_000) / 10_000;
