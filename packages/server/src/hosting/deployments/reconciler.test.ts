import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { SCALE_DOWN_DELAY_MS } from "./decide.ts";
import type { DeploymentProvider, DeploymentTarget, Observed, Replica } from "./provider.ts";
import { createReconciler, type ReconciledDeployment, type ReconcilerStore } from "./reconciler.ts";

const START = Date.parse("2026-03-01T12:00:00Z");
const IDLE_AFTER = 600;
const KILLED = new Error("The reconciler was killed.");

/** What a test does to a world of deployments. */
type Step =
  | { do: "create"; at: number; min: number; max: number; idles: boolean }
  | { do: "change" | "pause" | "resume" | "delete" | "call"; at: number }
  | { do: "load"; at: number; pending: number }
  | { do: "scale"; at: number; min: number; max: number }
  | { do: "wait"; seconds: number }
  | { do: "reconcile"; killedAfter: number | null }
  | { do: "deliver"; reversed: boolean }
  | { do: "advance"; fails: boolean }
  | { do: "lie"; about: "nothing" | "loss" | "staleness" | "errors" };

const at = fc.nat({ max: 1 });
const min = fc.nat({ max: 2 });
const max = fc.integer({ min: 2, max: 4 });
const often = <T>(arbitrary: fc.Arbitrary<T>, weight: number) => ({ arbitrary, weight });
const step: fc.Arbitrary<Step> = fc.oneof(
  often(fc.record({ do: fc.constant("create" as const), at, min, max, idles: fc.boolean() }), 3),
  often(fc.record({ do: fc.constantFrom("change", "pause", "resume", "delete", "delete", "call"), at }), 6),
  often(fc.record({ do: fc.constant("load" as const), at, pending: fc.nat({ max: 40 }) }), 1),
  often(fc.record({ do: fc.constant("scale" as const), at, min, max }), 1),
  often(fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 60, IDLE_AFTER) }), 1),
  often(fc.record({ do: fc.constant("reconcile" as const), killedAfter: fc.option(fc.nat({ max: 12 })) }), 8),
  often(fc.record({ do: fc.constant("deliver" as const), reversed: fc.boolean() }), 4),
  often(fc.record({ do: fc.constant("advance" as const), fails: fc.boolean() }), 3),
  often(
    fc.record({ do: fc.constant("lie" as const), about: fc.constantFrom("nothing", "loss", "staleness", "errors") }),
    2,
  ),
);
const steps = fc.array(step, { minLength: 20, maxLength: 80 });

/**
 * Returns a provider that randomly applies targets late, twice, out of order or not at all, and reports an old state or
 * none.
 */
function randomProvider() {
  const running = new Map<string, { target: DeploymentTarget | null; replicas: Replica[] }>();
  let late: (() => void)[] = [];
  const stale = new Map<string, Observed | null>();
  let lie: "nothing" | "loss" | "staleness" | "errors" = "nothing";

  function truth(id: string): Observed | null {
    const one = running.get(id);
    if (!one) return null;
    return {
      generation: one.target?.generation ?? 0,
      targetReplicas: one.target?.replicas ?? 0,
      replicas: [...one.replicas],
    };
  }
  /** Creates and removes replicas of a deployment until they match its target. */
  function converge(id: string): void {
    const one = running.get(id);
    if (!one) return;
    const count = one.target?.replicas ?? 0;
    const kept = one.replicas.filter(({ generation }) => generation === one.target?.generation).slice(0, count);
    while (one.target && kept.length < count)
      kept.push({
        name: String(kept.length),
        generation: one.target.generation,
        state: "starting",
        reason: null,
        endpoint: null,
      });
    one.replicas = kept;
    if (one.target === null) running.delete(id);
  }
  async function sometimes(work: () => void): Promise<void> {
    if (lie === "errors") throw new Error("The provider does not answer.");
    late.push(work);
    if (lie === "staleness") late.push(work); // it comes twice
  }

  const provider: DeploymentProvider = {
    describe: () => ({ id: "random", name: "", regions: [], instance_types: [], available: true, reason: null }),
    check: () => {},
    apply: (target) =>
      sometimes(() => {
        const one = running.get(target.id) ?? { target, replicas: [] };
        one.target = target;
        running.set(target.id, one);
        converge(target.id);
      }),
    remove: (id) =>
      sometimes(() => {
        const one = running.get(id);
        if (one) one.target = null;
        converge(id);
      }),
    async observe(id) {
      if (lie === "errors") throw new Error("The provider does not answer.");
      if (lie === "loss") return null;
      if (lie === "staleness") return stale.get(id) ?? null;
      const seen = truth(id);
      stale.set(id, seen);
      return seen;
    },
    list: async () => [...running.keys()],
    logs: async () => [],
    follow: () => () => {},
    onChange: () => {},
    tick: async () => {},
    stop: async () => {},
  };
  return {
    provider,
    running,
    truth,
    lie(about: typeof lie): void {
      lie = about;
    },
    deliver(reversed: boolean): void {
      const due = reversed ? late.reverse() : late;
      late = [];
      for (const work of due) work();
    },
    /** Advances the state of every replica by one step. */
    advance(fails: boolean): void {
      for (const [id, one] of running) {
        one.replicas = one.replicas.map((replica) => {
          if (fails) return { ...replica, state: "failed", reason: "It fell over.", endpoint: null };
          const baseUrl = `http://${id}-${replica.name}-${replica.generation}/v1`;
          return { ...replica, state: "ready", reason: null, endpoint: { baseUrl, program: "engine" } };
        });
      }
    },
  };
}

function memoryStore() {
  const rows = new Map<string, ReconciledDeployment>();
  const store: ReconcilerStore = {
    listIds: async () => [...rows.keys()],
    find: async (id) => {
      const row = rows.get(id);
      return row ? { ...row } : null;
    },
    async save(id, version, found) {
      const row = rows.get(id);
      if (!row || row.version !== version) return false;
      rows.set(id, { ...row, ...found, version: version + 1 });
      return true;
    },
    async delete(id) {
      if (rows.get(id)?.deleting) rows.delete(id);
    },
  };
  return { rows, store };
}

function world() {
  let now = START;
  let created = 0;
  const { rows, store } = memoryStore();
  const random = randomProvider();
  const pending = new Map<string, number>();
  const lastRequests = new Map<string, Date>();
  const routes = new Map<string, string[]>();
  const deleted = new Set<string>();

  /** Creates a reconciler that dies after a number of calls to the store and the provider: later calls do nothing. */
  function reconciler(killedAfter: number | null) {
    let calls = 0;
    const mortal = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(from, name) {
          const value: unknown = Reflect.get(from, name);
          if (typeof value !== "function") return value;
          return (...args: unknown[]) => {
            if (killedAfter !== null && calls++ >= killedAfter) throw KILLED;
            return (value as (...all: unknown[]) => unknown).apply(from, args);
          };
        },
      });
    return createReconciler({
      store: mortal(store),
      providers: new Map([["random", mortal(random.provider)]]),
      loadOf: (id) => ({ pending: pending.get(id) ?? 0, lastRequestAt: lastRequests.get(id) ?? null }),
      updateRoutes(id, _model, observed) {
        const ready = observed?.replicas.flatMap(({ endpoint }) => endpoint?.baseUrl ?? []) ?? [];
        if (ready.length > 0) routes.set(id, ready);
        else routes.delete(id);
      },
      clock: { now: () => new Date(now) },
      log: { error: () => {} },
    });
  }

  /** Changes the desired state, as the API does. */
  function want(place: number, change: (row: ReconciledDeployment) => Partial<ReconciledDeployment>): void {
    const row = [...rows.values()].filter(({ deleting }) => !deleting)[place];
    if (row) rows.set(row.id, { ...row, ...change(row), version: row.version + 1 });
  }

  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case "create": {
        const id = `dep_${created++}`;
        const { min: min_replicas, max: max_replicas } = step;
        rows.set(id, newRow(id, { min_replicas, max_replicas }, step.idles, new Date(now)));
        return;
      }
      case "change":
        return want(step.at, ({ generation }) => ({ generation: generation + 1 }));
      case "pause":
        return want(step.at, () => ({ paused: true }));
      case "resume":
        return want(step.at, () => ({ paused: false, last_request_at: new Date(now) }));
      case "delete":
        return want(step.at, ({ id }) => {
          deleted.add(id);
          return { deleting: true };
        });
      case "scale":
        return want(step.at, () => ({ min_replicas: step.min, max_replicas: step.max }));
      case "call":
        return want(step.at, ({ id }) => {
          lastRequests.set(id, new Date(now));
          return {};
        });
      case "load":
        return want(step.at, ({ id }) => {
          pending.set(id, step.pending);
          return {};
        });
      case "wait":
        now += step.seconds * 1000;
        return;
      case "reconcile":
        return reconciler(step.killedAfter)
          .run()
          .catch((error: unknown) => {
            if (error !== KILLED) throw error;
          });
      case "deliver":
        return random.deliver(step.reversed);
      case "advance":
        return random.advance(step.fails);
      case "lie":
        return random.lie(step.about);
    }
  }

  /** Runs reconcilers without failures until nothing changes any more. */
  async function calm(): Promise<void> {
    random.lie("nothing");
    pending.clear();
    for (let round = 0; round < 12; round++) {
      await reconciler(null).run();
      random.deliver(false);
      random.advance(false);
      if (round === 4) now += SCALE_DOWN_DELAY_MS;
    }
  }
  return { rows, random, routes, deleted, take, calm, reconciler, now: () => now };
}

function newRow(
  id: string,
  scale: { min_replicas: number; max_replicas: number },
  idles: boolean,
  now: Date,
): ReconciledDeployment {
  return {
    ...scale,
    id,
    version: 1,
    provider_id: "random",
    spec: {
      organizationId: "org_1",
      modelKey: "acme/one",
      revision: null,
      region: "here",
      instanceType: "cpu",
      engineArgs: {},
    },
    generation: 1,
    settings_version: 1,
    observed_settings_version: 0,
    paused: false,
    deleting: false,
    scale_to_zero_after_s: idles ? IDLE_AFTER : null,
    autoscale_target: 4,
    state: "pending",
    state_reason: null,
    ready_replicas: 0,
    desired_replicas: 0,
    scale_down_since: null,
    last_request_at: now,
    created_at: now,
  };
}

/** Returns the final state that a deployment must reach, computed without the code under test. */
function expectedStateOf(row: ReconciledDeployment, now: number): { replicas: number; state: string } {
  if (row.paused) return { replicas: 0, state: "paused" };
  const last = (row.last_request_at ?? row.created_at).getTime();
  const idle = row.scale_to_zero_after_s !== null && row.min_replicas === 0 && now - last >= IDLE_AFTER * 1000;
  return idle
    ? { replicas: 0, state: "scaled_to_zero" }
    : { replicas: Math.max(row.min_replicas, 1), state: "running" };
}

describe("the reconciler with an unreliable provider and crashes at any point", () => {
  test("with an unreliable provider, the reconciler reaches the desired state, leaves nothing, and restores nothing that was deleted", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const { rows, random, routes, deleted, take, calm, now } = world();
        for (const step of script) {
          await take(step);
          for (const id of deleted) expect(rows.get(id)?.deleting ?? true).toBe(true);
        }
        await calm();
        for (const id of deleted)
          expect([rows.has(id), random.running.has(id), routes.has(id)]).toEqual([false, false, false]);
        expect([...random.running.keys()].filter((id) => !rows.has(id))).toEqual([]);
        for (const row of rows.values()) {
          const { replicas, state } = expectedStateOf(row, now());
          const observed = random.truth(row.id);
          const ready = (observed?.replicas ?? []).filter((replica) => replica.state === "ready");
          expect([row.state, row.ready_replicas, row.desired_replicas]).toEqual([state, replicas, replicas]);
          expect([observed?.targetReplicas ?? 0, ready.length, observed?.replicas.length ?? 0]).toEqual([
            replicas,
            replicas,
            replicas,
          ]);
          expect(ready.every(({ generation }) => generation === row.generation)).toBe(true);
          expect(routes.get(row.id) ?? []).toEqual(ready.map(({ endpoint }) => endpoint?.baseUrl));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("the reconciler writes and requests nothing once the desired state is reached", async () => {
    const { rows, random, take, calm, reconciler } = world();
    await take({ do: "create", at: 0, min: 2, max: 4, idles: false });
    await calm();
    const [row] = [...rows.values()];
    const version = row?.version;
    const applied: DeploymentTarget[] = [];
    const { apply } = random.provider;
    random.provider.apply = async (target) => {
      applied.push(target);
      await apply(target);
    };
    await reconciler(null).run();
    await reconciler(null).run();
    expect([applied, [...rows.values()][0]?.version]).toEqual([[], version]);
  });

  test("the reconciler runs once at a time per deployment, and once more for requests during a run", async () => {
    const { rows, take, reconciler } = world();
    await take({ do: "create", at: 0, min: 1, max: 2, idles: false });
    const one = reconciler(null);
    const all = Array.from({ length: 20 }, () => one.reconcile("dep_0"));
    expect(new Set(all).size).toBe(1);
    await Promise.all(all);
    expect(rows.get("dep_0")?.desired_replicas).toBe(1);
  });
});
