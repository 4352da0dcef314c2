import { useEffect, useRef, useState } from "react";
import { feather } from "#/lib/feather.ts";
import { type FoundPassages, findPassages, type PassageSearch, type Searched } from "./find-passages.ts";

/** Longer than the server takes for the vectors of a long text. */
const FILES_TIMEOUT_MS = 90_000;

const api: PassageSearch = {
  list: async (signal) => feather.collections.list({ signal }),
  search: async (request, signal) => feather.collections.search(request, { signal }),
  searchFiles: async (request, signal) =>
    feather.documents.findPassages(request, { signal, timeout: FILES_TIMEOUT_MS }),
};

/** A search before a message is sent; after a failure with the error, and with what was to be sent. */
type SearchState<S> = { state: "idle" } | { state: "searching" } | { state: "failed"; error: unknown; sending: S };

const IDLE = { state: "idle" } as const;

/** Searches collections and long files before something is sent. A search ends when another conversation is opened. */
export function usePassageSearch<S>(conversation: string | null) {
  const [search, setSearch] = useState<SearchState<S>>(IDLE);
  /** Why passages may be missing that went with the last message, in sentences. */
  const [problems, setProblems] = useState<readonly string[]>([]);
  const abort = useRef<AbortController | null>(null);
  function end(): void {
    abort.current?.abort();
    abort.current = null;
    setSearch(IDLE);
  }
  function stop(): void {
    end();
    setProblems([]);
  }
  // A message belongs to the conversation in which it was written. The first message begins one, to which its problems belong.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another conversation is shown
  useEffect(() => (conversation === null ? end : stop), [conversation]);

  async function run(
    sending: S,
    { question, ...searched }: Searched & { question: string },
    send: (found: FoundPassages) => void,
  ): Promise<void> {
    stop();
    const running = new AbortController();
    abort.current = running;
    setSearch({ state: "searching" });
    try {
      const found = await findPassages(api, searched, question, running.signal);
      if (running.signal.aborted) return;
      setSearch(IDLE);
      setProblems(found.problems);
      send(found);
    } catch (error) {
      if (!running.signal.aborted) setSearch({ state: "failed", error, sending });
    }
  }

  return { search, problems, run, stop };
}
