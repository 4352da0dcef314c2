import type { BulkResult } from "@feather/sdk";
import type { QueryKey } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "#/lib/use-action.ts";

/** Runs a bulk action and holds its results until they are dismissed. `invalidates` are the queries that it changes. */
export function useBulkAction(
  action: (ids: readonly string[]) => PromiseLike<readonly BulkResult[]>,
  invalidates: readonly QueryKey[],
) {
  const [results, setResults] = useState<readonly BulkResult[] | null>(null);
  const { run, busy } = useAction(action, { onSuccess: setResults, invalidates });
  return {
    run(ids: readonly string[]): void {
      setResults(null);
      void run(ids);
    },
    busy,
    results,
    clearResults: () => setResults(null),
  };
}
