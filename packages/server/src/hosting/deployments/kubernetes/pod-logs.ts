import { setTimeout as pause } from "node:timers/promises";
import type { LogLine } from "../provider.ts";
import type { ClusterApi } from "./cluster-api.ts";
import type { ClusterCache } from "./cluster-cache.ts";
import { MODEL_CONTAINER, WEIGHTS_CONTAINER } from "./containers.ts";
import { type ClusterEvent, type ClusterObject, nameOf } from "./objects.ts";

type Deps = { api: Pick<ClusterApi, "logs">; cache: ClusterCache };
type Follower = { onLine(line: LogLine): void; onEnd(): void };

const MAX_LINE_LENGTH = 2_000;
/** Interval between checks for new pods and for started containers, in milliseconds. */
const FOLLOW_PERIOD_MS = 1_000;

/** Returns the last `tail` lines of the containers of a deployment and of the cluster's events about it, the oldest first. */
export async function readPodLogs({ api, cache }: Deps, id: string, tail: number): Promise<LogLine[]> {
  const pods = cache.of("Pod", id);
  const lines = await Promise.all(
    pods.flatMap((pod) => containersOf(pod).map((name) => readContainer(api, pod, name, tail))),
  );
  const events = cache.events(nameOf(id)).map(toEventLine);
  const all = [...events, ...lines.flat()].sort((a, b) => (a.logged_at < b.logged_at ? -1 : 1));
  return all.slice(-tail);
}

/** Returns the lines of a container; none if it has not started yet or its node does not respond. */
async function readContainer(
  api: Deps["api"],
  { metadata }: ClusterObject<"Pod">,
  container: string,
  tail: number,
): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  try {
    for await (const { time, text } of api.logs(metadata.name, { container, tail }, new AbortController().signal))
      lines.push(toLine(time, metadata.name, text));
  } catch {
    // Keep the lines that were read before the failure.
  }
  return lines;
}

/**
 * Calls `onLine` for each new line of a deployment's pods, including pods created later, and `onEnd` when the deployment
 * has no objects any more. Returns a function that stops it.
 */
export function followPodLogs({ api, cache }: Deps, id: string, since: Date, { onLine, onEnd }: Follower): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const followed = new Set<string>();
  const seenEvents = new Set(cache.events(nameOf(id)).map(versionOf));

  async function follow(): Promise<void> {
    while (!signal.aborted && cache.deploymentIds().includes(id)) {
      for (const pod of cache.of("Pod", id))
        for (const container of containersOf(pod)) {
          const key = `${pod.metadata.uid}/${container}`;
          if (followed.has(key)) continue;
          followed.add(key);
          void followContainer({ api, cache, onLine, signal }, id, pod, container, since.toISOString());
        }
      for (const event of cache.events(nameOf(id))) {
        if (seenEvents.has(versionOf(event))) continue;
        seenEvents.add(versionOf(event));
        onLine(toEventLine(event));
      }
      await pause(FOLLOW_PERIOD_MS, undefined, { signal }).catch(() => {});
    }
    if (!signal.aborted) onEnd();
    stopping.abort();
  }
  void follow();
  return () => stopping.abort();
}

type ContainerDeps = Deps & Pick<Follower, "onLine"> & { signal: AbortSignal };

/**
 * Follows a container's log until its pod is deleted. Opens the log again until the container has started, and after it has
 * restarted.
 */
async function followContainer(
  { api, cache, onLine, signal }: ContainerDeps,
  id: string,
  { metadata }: ClusterObject<"Pod">,
  container: string,
  since: string,
): Promise<void> {
  let last = since;
  const isThere = () => cache.of("Pod", id).some((pod) => pod.metadata.uid === metadata.uid);
  while (!signal.aborted && isThere()) {
    try {
      for await (const { time, text } of api.logs(
        metadata.name,
        { container, follow: true, sinceTime: last },
        signal,
      )) {
        if (time <= last) continue; // `sinceTime` has a resolution of one second, so lines may be repeated
        last = time;
        onLine(toLine(time, metadata.name, text));
      }
    } catch {
      // The container has not started or the connection was lost: retried from the last line.
    }
    await pause(FOLLOW_PERIOD_MS, undefined, { signal }).catch(() => {});
  }
}

function containersOf({ spec }: ClusterObject<"Pod">): string[] {
  return spec?.initContainers?.length ? [WEIGHTS_CONTAINER, MODEL_CONTAINER] : [MODEL_CONTAINER];
}

/** Converts a line. Timestamps of the cluster have nine decimals, those of Feather's API three. */
function toLine(time: string, replica: string, text: string): LogLine {
  return { logged_at: new Date(time).toISOString(), replica, text: text.slice(0, MAX_LINE_LENGTH) };
}

function versionOf({ metadata }: ClusterEvent): string {
  return `${metadata?.uid}/${metadata?.resourceVersion}`;
}

function toEventLine(event: ClusterEvent): LogLine {
  const { metadata, involvedObject, type, reason, message, lastTimestamp } = event;
  const time = new Date(lastTimestamp ?? metadata?.creationTimestamp ?? 0).toISOString();
  return toLine(time, involvedObject?.name ?? "", `[${type ?? "Normal"} ${reason ?? ""}] ${message ?? ""}`);
}
