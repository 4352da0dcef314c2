import type { BulkResult } from "@feather/sdk";
import type { QueryKey } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "#/lib/use-action.ts";
import type { Selection } from "./selection.ts";

/**
 * Runs a bulk action and holds its results until they are dismissed. `invalidates` are the queries that it changes; of
 * `selection`, the rows for which it failed stay selected.
 */
export function useBulkAction(
  action: (ids: readonly string[]) => PromiseLike<readonly BulkResult[]>,
  invalidates: readonly QueryKey[],
  selection?: Selection,
) {
  const [results, setResults] = useState<readonly BulkResult[] | null>(null);
  function showResults(done: readonly BulkResult[]): void {
    setResults(done);
    selection?.replace(done.flatMap(({ id, ok }) => (ok ? [] : id)));
  }
  const { run, busy } = useAction(action, { onSuccess: showResults, invalidates });
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
