import type { StorePull, StorePullProgress } from "@feather/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { usePageVisibility } from "#/lib/browser/use-page-visibility.ts";
import { pullsQuery, storedModelsQuery } from "./queries.ts";

/** A download as an event has it. */
type SentPull = Omit<StorePullProgress, "created_at"> & { readonly created_at: string };

/** Where the server sends each change of the downloads. */
const STREAM_PATH = "/api/admin/store/pulls/stream";

/**
 * Follows the downloads on the server's stream of events while `isWanted` and the page is visible: a browser has few
 * connections for each server. The list of downloads changes with each event. While no event comes, because the stream is
 * broken or the server refuses it, the list is read again as often as its query says.
 */
export function usePullEvents(isWanted: boolean): void {
  const client = useQueryClient();
  const isVisible = usePageVisibility();
  const isOpen = isWanted && isVisible;
  useEffect(() => {
    if (!isOpen) return;
    const source = new EventSource(STREAM_PATH);
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const changed = parsePullEvent(data);
      client.setQueryData(pullsQuery.queryKey, (list) => list && { ...list, items: mergePulls(list.items, changed) });
      if (changed.some(({ state }) => state === "done"))
        void client.invalidateQueries({ queryKey: storedModelsQuery.queryKey });
    };
    return () => source.close();
  }, [client, isOpen]);
}

/** Returns the downloads of an event; none if it is invalid. */
function parsePullEvent(data: string): StorePullProgress[] {
  try {
    const { items } = JSON.parse(data) as { items: readonly SentPull[] };
    return items.map((pull) => ({ ...pull, created_at: new Date(pull.created_at) }));
  } catch {
    return [];
  }
}

/** Returns the list with the changed downloads in their places, and new ones first. */
function mergePulls(pulls: readonly StorePull[], changed: readonly StorePull[]): StorePull[] {
  const byId = new Map(changed.map((pull) => [pull.id, pull]));
  const known = new Set(pulls.map(({ id }) => id));
  return [
    ...changed.filter(({ id }) => !known.has(id)).toReversed(),
    ...pulls.map((pull) => byId.get(pull.id) ?? pull),
  ];
}
