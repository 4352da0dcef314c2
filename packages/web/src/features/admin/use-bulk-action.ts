import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useToast } from "#/components/ui/toast.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import type { BulkResult } from "./bulk-results.tsx";

/** Runs a bulk action and holds its results until they are dismissed. */
export function useBulkAction(action: (ids: readonly string[]) => Promise<readonly BulkResult[]>) {
  const client = useQueryClient();
  const toast = useToast();
  const [results, setResults] = useState<readonly BulkResult[] | null>(null);
  const [busy, setBusy] = useState(false);
  async function run(ids: readonly string[]): Promise<void> {
    setBusy(true);
    setResults(null);
    try {
      setResults(await action(ids));
    } catch (error) {
      toast({ title: errorMessage(error), variant: "destructive" });
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: ["admin"] });
    }
  }
  return { run, busy, results, clearResults: () => setResults(null) };
}
