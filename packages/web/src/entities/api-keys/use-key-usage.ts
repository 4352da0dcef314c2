import { useQuery } from "@tanstack/react-query";
import { keyUsageQuery } from "./queries.ts";

/** Requests and cost in nano-USD of the last 30 days by the id of a key. Keys that were not used are missing. */
export type KeyUsage = "loading" | "unknown" | ReadonlyMap<string, { requests: number; cost: string }>;

/** Returns how much each key was used in the last 30 days. */
export function useKeyUsage(): KeyUsage {
  const { data, isError } = useQuery(keyUsageQuery);
  if (data === undefined) return isError ? "unknown" : "loading";
  return new Map(
    data.items.map(({ group, request_count, cost_nano_usd }) => [
      group.api_key ?? "",
      { requests: request_count, cost: cost_nano_usd },
    ]),
  );
}
