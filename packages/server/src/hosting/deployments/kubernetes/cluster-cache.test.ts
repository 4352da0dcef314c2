import { waitFor } from "@feather/testing/wait-for";
import { afterEach, describe, expect, test } from "vitest";
import { type ClusterApi, ClusterError, type WatchEvent } from "./cluster-api.ts";
import { type ClusterCache, createClusterCache } from "./cluster-cache.ts";
import { type ClusterObject, type Kind, labelsOf } from "./objects.ts";
import { followPodLogs, readPodLogs } from "./pod-logs.ts";

const OWNER = "owner";
const ID = "dep_1";
const SINCE = new Date("2026-03-01T12:00:00Z");

const buildPod = (name: string, deploymentId = ID, fields: object = {}): ClusterObject<"Pod"> => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, uid: `uid-${name}`, labels: labelsOf(OWNER, deploymentId, "org_1") },
  spec: { containers: [] },
  ...fields,
});
const buildEvent = (name: string, second: number, message = ""): ClusterObject<"Event"> => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: {
    name,
    uid: name,
    resourceVersion: String(second),
    creationTimestamp: new Date(SINCE.getTime() + second * 1_000),
  },
  involvedObject: { kind: "Pod", name: "dep-1-a" },
  type: "Warning",
  reason: "Failed",
  message,
});

type Lines = { time: string; text: string }[];
let cache: ClusterCache;
afterEach(() => cache.stop());

/** A cluster with these objects, whose watches report what the test sends. */
function createCluster(objects: Partial<Record<Kind, ClusterObject[]>> = {}) {
  const state = { objects, failures: new Map<Kind, Error>(), logs: new Map<string, Lines>() };
  const watches = new Map<Kind, (event: WatchEvent<Kind>) => void>();
  const selectors = new Map<Kind, string>();
  const api = {
    async list(kind: Kind, labelSelector: string) {
      selectors.set(kind, labelSelector);
      const failure = state.failures.get(kind);
      if (failure) throw failure;
      return { items: state.objects[kind] ?? [], resourceVersion: "1" };
    },
    watch(kind: Kind, { signal }: { signal: AbortSignal }, onEvent: (event: WatchEvent<Kind>) => void) {
      watches.set(kind, onEvent);
      return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    },
    async *logs(pod: string, { container }: { container: string }) {
      const lines = state.logs.get(`${pod}/${container}`);
      if (lines === undefined) throw new ClusterError(400, "BadRequest", "The container waits to start.");
      yield* lines;
    },
  } as unknown as ClusterApi;
  const changes: string[] = [];
  const readable: unknown[] = [];
  cache = createClusterCache({
    api,
    owner: OWNER,
    retry: { minMs: 1, maxMs: 1 },
    onChange: (id) => void changes.push(id),
    onReadable: (error) => void readable.push(error),
  });
  const send = async (kind: Kind, type: WatchEvent<Kind>["type"], object: ClusterObject) => {
    await waitFor(() => expect(watches.has(kind)).toBe(true));
    watches.get(kind)?.({ type, object } as WatchEvent<Kind>);
  };
  const start = async () => {
    cache.start();
    await waitFor(() => expect(cache.isComplete()).toBe(true));
  };
  return { state, changes, readable, selectors, send, start, api };
}
const podNames = (id = ID) => cache.of("Pod", id).map(({ metadata }) => metadata.name);

describe("the cache of a cluster's objects", () => {
  test("objects are listed by their deployment, only those of this installation, and changes are announced", async () => {
    const { changes, selectors, start } = createCluster({ Pod: [buildPod("a"), buildPod("b", "dep_2")] });
    await start();
    expect([podNames(), podNames("dep_2"), podNames("dep_3")]).toEqual([["a"], ["b"], []]);
    expect(cache.deploymentIds().sort()).toEqual([ID, "dep_2"]);
    expect(changes.sort()).toEqual([ID, "dep_2"]);
    expect(selectors.get("Pod")).toContain(OWNER);
  });

  test("a watch adds, changes and deletes objects, and announces each change", async () => {
    const { changes, send, start } = createCluster();
    await start();
    await send("Pod", "ADDED", buildPod("a"));
    await send("Pod", "MODIFIED", buildPod("a", ID, { status: { phase: "Running" } }));
    expect(cache.of("Pod", ID)).toMatchObject([{ status: { phase: "Running" } }]);
    await send("Pod", "DELETED", buildPod("a"));
    expect([podNames(), changes]).toEqual([[], [ID, ID, ID]]);
  });

  test("what was written is there before the watch reports it", () => {
    createCluster();
    cache.put("Pod", buildPod("a"));
    expect(podNames()).toEqual(["a"]);
  });

  test("a cluster without an optional kind is complete, and can be read", async () => {
    const { state, readable, start } = createCluster();
    state.failures.set("LeaderWorkerSet", new ClusterError(404, "NotFound", "the server could not find it"));
    state.failures.set("NetworkPolicy", new ClusterError(403, "Forbidden", "not allowed"));
    await start();
    expect([cache.error(), readable]).toEqual([null, []]);
  });

  test("a kind that cannot be read keeps the cache incomplete, and is announced once, as is its end", async () => {
    const { state, readable } = createCluster();
    const failure = new ClusterError(403, "Forbidden", "pods is forbidden");
    state.failures.set("Pod", failure);
    cache.start();
    await waitFor(() => expect(readable).toEqual([failure]));
    await cache.waitUntilComplete(1);
    expect([cache.isComplete(), cache.error()]).toEqual([false, failure]);
    state.failures.clear();
    await cache.waitUntilComplete(60_000);
    await waitFor(() => expect(cache.error()).toBeNull());
    expect(readable).toEqual([failure, null]);
  });

  test("events are found by the beginning of the name of their object, the oldest first, and the newest version counts", async () => {
    const { send, start } = createCluster({ Event: [buildEvent("late", 9), buildEvent("early", 1)] });
    await start();
    await waitFor(() => expect(cache.events("dep-1").map(({ metadata }) => metadata.name)).toEqual(["early", "late"]));
    await send("Event", "MODIFIED", buildEvent("early", 12, "again"));
    expect(cache.events("dep-1")).toMatchObject([{ message: "" }, { message: "again" }]);
    expect(cache.events("dep-2")).toEqual([]);
    await send("Event", "DELETED", buildEvent("early", 13));
    expect(cache.events("dep-1").map(({ metadata }) => metadata.name)).toEqual(["late"]);
  });
});

describe("the logs of pods", () => {
  const at = (second: number) => new Date(SINCE.getTime() + second * 1_000).toISOString();

  test("the lines of all containers are merged by time, with the milliseconds of the API, and the last ones are returned", async () => {
    const withWeights = buildPod("a", ID, { spec: { containers: [], initContainers: [{ name: "weights" }] } });
    const { state, start, api } = createCluster({ Pod: [withWeights, buildPod("b")] });
    await start();
    state.logs.set("a/weights", [{ time: "2026-03-01T12:00:01.123456789Z", text: "downloads" }]);
    state.logs.set("a/model", [{ time: at(3), text: "starts" }]);
    state.logs.set("b/model", [
      { time: at(2), text: "x".repeat(3_000) },
      { time: at(4), text: "is ready" },
    ]);
    const lines = await readPodLogs({ api, cache }, ID, 3);
    expect(lines.map(({ replica, text }) => [replica, text.length])).toEqual([
      ["b", 2_000],
      ["a", 6],
      ["b", 8],
    ]);
    const all = await readPodLogs({ api, cache }, ID, 100);
    expect(all[0]).toEqual({ logged_at: "2026-03-01T12:00:01.123Z", replica: "a", text: "downloads" });
  });

  test("a container that has not started has no lines, and hides none of others", async () => {
    const { state, start, api } = createCluster({ Pod: [buildPod("a"), buildPod("b")] });
    await start();
    state.logs.set("b/model", [{ time: at(1), text: "starts" }]);
    expect(await readPodLogs({ api, cache }, ID, 10)).toMatchObject([{ replica: "b", text: "starts" }]);
  });

  test("followed lines are sent once, although the log is read again, and the end is that of the deployment", async () => {
    const { state, start, send, api } = createCluster({ Pod: [buildPod("a")] });
    await start();
    state.logs.set("a/model", [
      { time: at(-1), text: "before" },
      { time: at(1), text: "first" },
    ]);
    const lines: string[] = [];
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
    followPodLogs({ api, cache }, ID, SINCE, { onLine: ({ text }) => void lines.push(text), onEnd });
    await waitFor(() => expect(lines).toEqual(["first"]));
    state.logs.get("a/model")?.push({ time: at(2), text: "second" });
    await waitFor(() => expect(lines).toEqual(["first", "second"]));
    await send("Pod", "DELETED", buildPod("a"));
    await ended;
    expect(lines).toEqual(["first", "second"]);
  });
});
