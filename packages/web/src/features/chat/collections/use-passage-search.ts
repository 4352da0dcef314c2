import type { SentPassage } from "@feather/sdk";
import { useEffect, useRef, useState } from "react";
import { feather } from "#/lib/feather.ts";
import { useToast } from "#/lib/toast.ts";
import { findPassages, type PassageSearch } from "./find-passages.ts";

const api: PassageSearch = {
  list: async (signal) => feather.collections.list({ signal }),
  search: async (request, signal) => feather.collections.search(request, { signal }),
};

/** A search before a message is sent; after a failure with the error, and with what was to be sent. */
type SearchState<S> = { state: "idle" } | { state: "searching" } | { state: "failed"; error: unknown; sending: S };

const IDLE = { state: "idle" } as const;

/** Searches collections before something is sent. A search ends when another conversation is opened. */
export function usePassageSearch<S>(conversation: string | null) {
  const toast = useToast();
  const [search, setSearch] = useState<SearchState<S>>(IDLE);
  const abort = useRef<AbortController | null>(null);
  function stop(): void {
    abort.current?.abort();
    abort.current = null;
    setSearch(IDLE);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message belongs to the conversation in which it was written
  useEffect(() => stop, [conversation]);

  async function run(
    sending: S,
    { ids, question }: { ids: readonly string[]; question: string },
    send: (passages: readonly SentPassage[]) => void,
  ): Promise<void> {
    stop();
    const running = new AbortController();
    abort.current = running;
    setSearch({ state: "searching" });
    try {
      const { passages, problems } = await findPassages(api, ids, question, running.signal);
      if (running.signal.aborted) return;
      setSearch(IDLE);
      send(passages);
      for (const title of problems) toast({ title });
    } catch (error) {
      if (!running.signal.aborted) setSearch({ state: "failed", error, sending });
    }
  }

  return { search, run, stop };
}
