import type { Logger } from "pino";
import type { EndedQuery } from "../../platform/core/db/connect.ts";
import type { QueryStats } from "../../platform/core/metrics/query-stats.ts";

const MAX_TEXT_LENGTH = 2_000;

/**
 * Returns a function that counts each query, and logs the text of slow ones. Values are in parameters, which are not
 * logged.
 */
export function watchQueries(
  stats: Pick<QueryStats, "add">,
  log: Pick<Logger, "warn">,
  slowMs: number,
): (query: EndedQuery) => void {
  return ({ text, durationMs, failed }) => {
    const isSlow = durationMs > slowMs;
    stats.add({ durationMs, failed, isSlow });
    if (!isSlow) return;
    const query = text.slice(0, MAX_TEXT_LENGTH);
    log.warn({ duration_ms: Math.round(durationMs), query }, "a slow database query");
  };
}
