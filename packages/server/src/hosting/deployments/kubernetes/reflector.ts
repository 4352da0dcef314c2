import { setTimeout as pause } from "node:timers/promises";
import { type ClusterApi, ClusterError, type WatchEvent, type WatchOptions } from "./cluster-api.ts";
import type { ClusterObject, Kind } from "./objects.ts";

/** Shortest and longest delay after failures, in milliseconds. */
export type RetryTimes = { minMs: number; maxMs: number };

type Deps<K extends Kind> = {
  api: Pick<ClusterApi, "list" | "watch">;
  kind: K;
  labelSelector: string;
  retry: RetryTimes;
  /** Called with the complete list at the start, and after changes were missed. */
  onList(objects: readonly ClusterObject<K>[]): void;
  onEvent(event: WatchEvent<K>): void;
  /** Called with the error of a failed request, and with null each time the cluster answers a list or a watch. */
  onError(error: unknown): void;
};

/** HTTP status for a version that the API server no longer has; all objects must be listed again. */
const GONE = 410;

/**
 * Keeps a copy of all objects of a kind up to date until the signal aborts. It lists them, watches from the version of the
 * list, resumes interrupted watches, and lists again when the server no longer has that version.
 */
export async function reflect<K extends Kind>(deps: Deps<K>, signal: AbortSignal): Promise<void> {
  const { retry, onError } = deps;
  let version: string | null = null;
  let failures = 0;
  const noteSuccess = () => {
    failures = 0;
    onError(null);
  };
  while (!signal.aborted) {
    try {
      if (version === null) {
        version = await listAll(deps);
        noteSuccess();
      }
      const onVersion = (seen: string) => {
        version = seen;
      };
      await watchFrom(deps, { resourceVersion: version, signal, onOpen: noteSuccess, onVersion });
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) version = null;
      else {
        failures += 1;
        onError(error);
      }
    }
    await pause(delayOf(failures, retry), undefined, { signal }).catch(() => {});
  }
}

async function listAll<K extends Kind>({ api, kind, labelSelector, onList }: Deps<K>): Promise<string> {
  const { items, resourceVersion } = await api.list(kind, labelSelector);
  onList(items);
  return resourceVersion;
}

function watchFrom<K extends Kind>(
  { api, kind, labelSelector, onEvent }: Deps<K>,
  { onVersion, ...options }: Omit<WatchOptions, "labelSelector"> & { onVersion(version: string): void },
): Promise<void> {
  return api.watch(kind, { ...options, labelSelector }, (event) => {
    const seen = event.object.metadata.resourceVersion;
    if (seen !== undefined) onVersion(seen);
    if (event.type !== "BOOKMARK") onEvent(event);
  });
}

function isGone(error: unknown): boolean {
  return error instanceof ClusterError && error.status === GONE;
}

function delayOf(failures: number, { minMs, maxMs }: RetryTimes): number {
  return Math.min(minMs * 2 ** Math.min(failures, 10), maxMs);
}
