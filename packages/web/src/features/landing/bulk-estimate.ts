import { plural } from "@lingui/core/macro";
/** A job of many requests: `seconds` for each, `cost` in units for each, on a plan of `units`. */
export type BulkJob = { requests: number; seconds: number; units: number; cost: number };

/**
 * Returns how many seconds a job takes if the plan's units are always busy; null when a request does not fit the plan.
 */
export function estimateBulkSeconds({ requests, seconds, units, cost }: BulkJob): number | null {
  const parallelRequests = Math.floor(units / cost);
  if (parallelRequests < 1 || !(requests > 0) || !(seconds > 0)) return null;
  return Math.ceil(requests / parallelRequests) * seconds;
}

/** Returns a duration such as "45 seconds", "12 minutes", "3.5 hours" or "2.1 days". */
export function formatDuration(seconds: number): string {
  const round = (value: number) => (value >= 10 ? Math.round(value) : Math.round(value * 10) / 10);
  if (seconds < 90) return plural(Math.round(seconds), { one: "# second", other: "# seconds" });
  if (seconds < 5400) return plural(round(seconds / 60), { one: "# minute", other: "# minutes" });
  if (seconds < 129_600) return plural(round(seconds / 3600), { one: "# hour", other: "# hours" });
  return plural(round(seconds / 86_400), { one: "# day", other: "# days" });
}
