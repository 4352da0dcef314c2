import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useToast } from "#/components/ui/toast.tsx";
import { faultWords } from "./fault-words.ts";
import type { BulkResult } from "./results.tsx";

/** Runs a bulk action and holds its results until they are dismissed. */
export function useBulk(work: (ids: readonly string[]) => Promise<readonly BulkResult[]>) {
  const client = useQueryClient();
  const toast = useToast();
  const [results, setResults] = useState<readonly BulkResult[] | null>(null);
  const [busy, setBusy] = useState(false);
  async function run(ids: readonly string[]): Promise<void> {
    setBusy(true);
    setResults(null);
    try {
      setResults(await work(ids));
    } catch (error) {
      toast({ title: faultWords(error), variant: "destructive" });
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: ["admin"] });
    }
  }
  return { run, busy, results, forget: () => setResults(null) };
}
