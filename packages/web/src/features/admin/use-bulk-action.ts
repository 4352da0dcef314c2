import type { BulkResult } from "@feather/sdk";
import { useState } from "react";
import { useAction } from "#/lib/use-action.ts";
import { ADMIN_QUERY_KEYS } from "./query-keys.ts";

/** Runs a bulk action and holds its results until they are dismissed. */
export function useBulkAction(action: (ids: readonly string[]) => PromiseLike<readonly BulkResult[]>) {
  const [results, setResults] = useState<readonly BulkResult[] | null>(null);
  const { run, busy } = useAction(action, { onSuccess: setResults, invalidates: ADMIN_QUERY_KEYS });
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
