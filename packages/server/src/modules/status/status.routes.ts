import { LRUCache } from "lru-cache";
import type { Database } from "../../db/connect.ts";
import type { Handlers } from "../../http/bind.ts";
import type { Clock } from "../../shared/clock.ts";
import { type ErrorRate, errorRates, stateOf } from "./error-rates.ts";

const WINDOW_S = 3_600;
/** Visitors of the status page share one look at the database. */
const FRESH = 10_000;

type By = "model_class" | "model";
type Looked = { at: Date; rates: ErrorRate[] };

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
          error_rate: Math.round((rate.errors / rate.requests) * 10_000) / 10_000,
          p50_ttft_ms: rate.p50FirstByteMs,
          p95_ttft_ms: rate.p95FirstByteMs,
          tokens_per_s: rate.tokensPerSecond,
          state: stateOf(rate),
        })),
      };
    },
  };
}
