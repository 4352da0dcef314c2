import { createTestClock } from "@feather/testing/clock";
import { describe, expect, test } from "vitest";
import type { BackendSpec } from "../../../gateway/index.ts";
import type { Observed, Replica } from "../provider.ts";
import { createColdStart } from "./cold-start.ts";
import { createLoadTracker } from "./load-tracker.ts";
import { createReplicaBackends } from "./replica-backends.ts";

const ID = "dep_1";

const buildReplica = (fields: Partial<Replica> = {}): Replica => ({
  name: "0",
  generation: 1,
  state: "starting",
  reason: null,
  endpoint: null,
  ...fields,
});
const observe = (...replicas: Replica[]): Observed => ({ generation: 1, targetReplicas: replicas.length, replicas });

describe("the start of a deployment that is called while no replica runs", () => {
  function createStart() {
    const clock = createTestClock();
    const enqueued: string[] = [];
    const coldStart = createColdStart(clock, (id) => void enqueued.push(id));
    const secondsLeft = async () => {
      const { readyAt } = await coldStart.port.state(ID);
      return readyAt === null ? null : (readyAt.getTime() - clock.at) / 1_000;
    };
    return { clock, enqueued, coldStart, secondsLeft };
  }

  test("each call asks for the start, and all of them wait for the same one", async () => {
    const { clock, enqueued, coldStart, secondsLeft } = createStart();
    expect(await coldStart.port.wake(ID)).toMatchObject({ tier: "loading", stage: "starting", reason: null });
    clock.at += 4_000;
    await coldStart.port.wake(ID);
    expect([enqueued, await secondsLeft()]).toEqual([[ID, ID], 6]);
  });

  test("a start that takes longer than expected is always about to end", async () => {
    const { clock, coldStart, secondsLeft } = createStart();
    await coldStart.port.wake(ID);
    clock.at += 60_000;
    expect(await secondsLeft()).toBe(0.5);
  });

  test("the duration of the last start is expected of the next one", async () => {
    const { clock, coldStart, secondsLeft } = createStart();
    await coldStart.port.wake(ID);
    clock.at += 42_000;
    coldStart.markReady(ID);
    clock.at += 3_600_000;
    await coldStart.port.wake(ID);
    expect(await secondsLeft()).toBe(42);
  });

  test("a replica that gets ready without a call does not count as a start", async () => {
    const { coldStart, secondsLeft } = createStart();
    coldStart.markReady(ID);
    expect(await secondsLeft()).toBe(10);
  });

  test("a clock that was set back does not make the next start end in the past", async () => {
    const { clock, coldStart, secondsLeft } = createStart();
    await coldStart.port.wake(ID);
    clock.at -= 60_000;
    coldStart.markReady(ID);
    await coldStart.port.wake(ID);
    expect(await secondsLeft()).toBe(0.5);
  });

  test("a removed deployment leaves nothing to one with the same id", async () => {
    const { clock, coldStart, secondsLeft } = createStart();
    await coldStart.port.wake(ID);
    clock.at += 42_000;
    coldStart.markReady(ID);
    coldStart.noteObserved(ID, observe(buildReplica({ state: "failed", reason: "It ends." })));
    coldStart.remove(ID);
    expect([coldStart.port.loadingProblem(ID), await secondsLeft()]).toEqual([null, 10]);
  });

  test.each<[string, Observed | null, string | null, string | null]>([
    ["nothing is known", null, null, null],
    ["replicas start", observe(buildReplica()), null, null],
    ["a replica waits", observe(buildReplica({ reason: "It waits for memory." })), "It waits for memory.", null],
    ["all have failed", observe(buildReplica({ state: "failed", reason: "It ends." })), "It ends.", "It ends."],
    [
      "one has failed and another one starts",
      observe(buildReplica({ state: "failed", reason: "It ends." }), buildReplica({ name: "1" })),
      "It ends.",
      null,
    ],
    [
      "the failed one is being stopped",
      observe(buildReplica({ state: "stopping", reason: "It ends." }), buildReplica({ name: "1" })),
      null,
      null,
    ],
    [
      "the provider makes no replica",
      { ...observe(), problem: "The quota is used up." },
      "The quota is used up.",
      null,
    ],
  ])(
    "callers read the reason while they wait, and an error only when all replicas have failed: %s",
    async (_what, observed, reason, failure) => {
      const { coldStart } = createStart();
      coldStart.noteObserved(ID, observed);
      expect((await coldStart.port.state(ID)).reason).toBe(reason);
      expect(coldStart.port.loadingProblem(ID)).toBe(failure);
      coldStart.noteObserved(ID, null);
      expect((await coldStart.port.state(ID)).reason).toBeNull();
    },
  );
});

describe("the load of a deployment", () => {
  test("calls count from their beginning to their end, and the last of both is remembered", () => {
    const clock = createTestClock();
    const load = createLoadTracker(clock);
    expect(load.get(ID)).toEqual({ pending: 0, lastRequestAt: null });
    const ends = [load.begin(ID), load.begin(ID)];
    expect(load.get(ID)).toEqual({ pending: 2, lastRequestAt: clock.now() });
    for (const end of ends) {
      clock.at += 5_000;
      end();
    }
    expect(load.get(ID)).toEqual({ pending: 0, lastRequestAt: clock.now() });
    expect(load.get("dep_2")).toEqual({ pending: 0, lastRequestAt: null });
  });

  test("a removed deployment has no last call", () => {
    const load = createLoadTracker(createTestClock());
    load.begin(ID)();
    load.remove(ID);
    expect(load.get(ID)).toEqual({ pending: 0, lastRequestAt: null });
  });
});

describe("the replicas that get the calls of a deployment", () => {
  function createRouter() {
    const backends = new Map<string, BackendSpec>();
    const changes: string[] = [];
    const update = createReplicaBackends({
      list: () => [...backends.values()] as never,
      set(spec) {
        changes.push(`set ${spec.name}`);
        backends.set(spec.name, spec);
      },
      remove(name) {
        changes.push(`remove ${name}`);
        backends.delete(name);
      },
    });
    return { update, backends, changes };
  }
  const ready = (name: string, port = 1) =>
    buildReplica({ name, state: "ready", endpoint: { baseUrl: `http://10.0.0.1:${port}/v1`, program: "engine" } });

  test("ready replicas get calls to the deployment and to its model, others get none", () => {
    const { update, backends } = createRouter();
    update(
      ID,
      "acme/tiny",
      observe(ready("0"), buildReplica({ name: "1" }), buildReplica({ name: "2", state: "ready" })),
    );
    expect([...backends.keys()]).toEqual(["dep_1/0"]);
    expect(backends.get("dep_1/0")?.models).toEqual(
      new Map([
        [ID, "acme/tiny"],
        ["acme/tiny", "acme/tiny"],
      ]),
    );
  });

  test("a replica that has not changed keeps its backend, with its calls and its health", () => {
    const { update, changes } = createRouter();
    for (let time = 0; time < 3; time++) update(ID, "acme/tiny", observe(ready("0")));
    expect(changes).toEqual(["set dep_1/0"]);
  });

  test("a replica with another address or another model gets a new backend", () => {
    const { update, changes } = createRouter();
    update(ID, "acme/tiny", observe(ready("0")));
    update(ID, "acme/tiny", observe(ready("0", 2)));
    update(ID, "acme/other", observe(ready("0", 2)));
    expect(changes).toEqual(["set dep_1/0", "set dep_1/0", "set dep_1/0"]);
  });

  test("replicas that are gone lose their backends, those of other deployments do not", () => {
    const { update, backends } = createRouter();
    for (const id of [ID, "dep_10"]) update(id, "acme/tiny", observe(ready("0"), ready("1", 2)));
    update(ID, "acme/tiny", observe(ready("1", 2)));
    expect([...backends.keys()]).toEqual(["dep_1/1", "dep_10/0", "dep_10/1"]);
    update(ID, "acme/tiny", null);
    expect([...backends.keys()]).toEqual(["dep_10/0", "dep_10/1"]);
  });
});
