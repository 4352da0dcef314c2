import { describe, expect, test } from "vitest";
import { type DeploymentLoad, type DeploymentStatus, decide, hasChanged, SCALE_DOWN_DELAY_MS } from "./decide.ts";
import type { Observed, Replica } from "./provider.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const CALM: DeploymentLoad = { pending: 0, lastRequestAt: null };
const STATUS: DeploymentStatus = {
  generation: 1,
  settings_version: 1,
  observed_settings_version: 1,
  paused: false,
  deleting: false,
  min_replicas: 0,
  max_replicas: 5,
  scale_to_zero_after_s: 60,
  autoscale_target: 4,
  state: "pending",
  state_reason: null,
  ready_replicas: 0,
  desired_replicas: 1,
  scale_down_since: null,
  last_request_at: ago(1),
  created_at: ago(3_600),
};

/** Returns an observed state with the last target and with replicas given as `<state>` or `<state>@<generation>`. */
function seen(targetReplicas: number, ...states: string[]): Observed {
  const replicas = states.map((text, index): Replica => {
    const [state = "", generation = "1"] = text.split("@");
    const reason = state === "failed" ? "It fell over." : null;
    return {
      name: String(index),
      generation: Number(generation),
      state: state as Replica["state"],
      reason,
      endpoint: null,
    };
  });
  return { generation: 1, targetReplicas, replicas };
}

describe("number of replicas", () => {
  test.each<[string, Partial<DeploymentStatus>, Partial<DeploymentLoad>, number]>([
    ["is one for a low load", {}, {}, 1],
    ["follows the load", {}, { pending: 9 }, 3],
    ["follows a load that fits exactly", {}, { pending: 8 }, 2],
    ["is at most max_replicas", {}, { pending: 1_000 }, 5],
    ["is at least min_replicas", { min_replicas: 2 }, {}, 2],
    ["is min_replicas even after the idle time", { min_replicas: 2, last_request_at: ago(9_999) }, {}, 2],
    ["is zero after the idle time", { last_request_at: ago(60) }, {}, 0],
    ["is one a second before the idle time ends", { last_request_at: ago(59) }, {}, 1],
    ["is one after a recent call in this process", { last_request_at: ago(999) }, { lastRequestAt: ago(5) }, 1],
    ["is one during a long call", { last_request_at: ago(999) }, { pending: 1 }, 1],
    ["is one if scaling to zero is off", { scale_to_zero_after_s: null, last_request_at: ago(99_999) }, {}, 1],
    ["is zero if there was never a call", { last_request_at: null }, {}, 0],
    ["is zero while paused", { paused: true, min_replicas: 2 }, { pending: 9 }, 0],
    ["is zero while being deleted", { deleting: true, min_replicas: 2 }, { pending: 9 }, 0],
    ["supports a target below one request", { autoscale_target: 0.5 }, { pending: 2 }, 4],
  ])("the number of replicas %s", (_what, status, load, replicas) => {
    const { observedStatus } = decide({ ...STATUS, ...status }, null, { ...CALM, ...load }, NOW);
    expect(observedStatus.desired_replicas).toBe(replicas);
  });

  test("the number of replicas rises at once and falls only after the load was lower for five minutes", () => {
    const status = { ...STATUS, desired_replicas: 4 };
    const first = decide(status, null, { ...CALM, pending: 1 }, NOW).observedStatus;
    expect([first.desired_replicas, first.scale_down_since]).toEqual([4, NOW]);
    const again = (milliseconds: number, pending: number) =>
      decide({ ...status, ...first }, null, { ...CALM, pending }, new Date(NOW.getTime() + milliseconds))
        .observedStatus;
    expect(again(SCALE_DOWN_DELAY_MS - 1, 1)).toMatchObject({ desired_replicas: 4, scale_down_since: NOW });
    expect(again(SCALE_DOWN_DELAY_MS - 1, 16)).toMatchObject({ desired_replicas: 4, scale_down_since: null });
    expect(again(SCALE_DOWN_DELAY_MS, 1)).toMatchObject({ desired_replicas: 1, scale_down_since: null });
    expect(again(1_000, 20)).toMatchObject({ desired_replicas: 5, scale_down_since: null });
  });

  test("the number of replicas goes down at once when max_replicas is lowered", () => {
    const { observedStatus } = decide(
      { ...STATUS, desired_replicas: 5, max_replicas: 2 },
      null,
      { ...CALM, pending: 20 },
      NOW,
    );
    expect(observedStatus.desired_replicas).toBe(2);
  });
});

describe("state of a deployment", () => {
  test.each<[string, Observed | null, Partial<DeploymentStatus>, string, string | null]>([
    ["pending", null, {}, "pending", null],
    ["initializing where all was lost", null, { state: "running" }, "initializing", null],
    ["initializing", seen(1, "starting"), {}, "initializing", null],
    ["running", seen(1, "ready"), {}, "running", null],
    ["running with one of two", seen(2, "ready", "starting"), { min_replicas: 2 }, "running", null],
    ["running with one that fell over", seen(2, "ready", "failed"), { min_replicas: 2 }, "running", "It fell over."],
    ["failed", seen(1, "failed"), {}, "failed", "It fell over."],
    ["updating", seen(1, "ready@1", "starting@2"), { generation: 2 }, "updating", null],
    ["update_failed", seen(1, "ready@1", "failed@2"), { generation: 2 }, "update_failed", "It fell over."],
    ["running after an update", seen(1, "stopping@1", "ready@2"), { generation: 2 }, "running", null],
    ["paused", seen(0, "stopping"), { paused: true }, "paused", null],
    ["scaled_to_zero", seen(0), { last_request_at: ago(100) }, "scaled_to_zero", null],
    ["deleting", seen(1, "ready"), { deleting: true }, "deleting", null],
  ])("the state of a deployment is %s", (_what, observed, status, state, reason) => {
    const { observedStatus } = decide({ ...STATUS, ...status }, observed, CALM, NOW);
    expect([observedStatus.state, observedStatus.state_reason]).toEqual([state, reason]);
  });
});

describe("action for the provider", () => {
  test.each<[string, Observed | null, Partial<DeploymentStatus>, object | null]>([
    ["applies the target if nothing runs", null, {}, { kind: "apply", replicas: 1 }],
    ["does nothing if the target was applied", seen(1, "starting"), {}, null],
    ["applies another number of replicas", seen(2, "ready", "ready"), {}, { kind: "apply", replicas: 1 }],
    ["applies another generation", seen(1, "ready"), { generation: 2 }, { kind: "apply", replicas: 1 }],
    ["does nothing if nothing runs and nothing should", null, { paused: true }, null],
    ["applies zero replicas when paused", seen(1, "ready"), { paused: true }, { kind: "apply", replicas: 0 }],
    ["removes a deleted deployment", seen(1, "ready"), { deleting: true }, { kind: "remove" }],
  ])("the action for the provider %s", (_what, observed, status, ask) => {
    expect(decide({ ...STATUS, ...status }, observed, CALM, NOW).action).toEqual(ask);
  });

  test("a deleted deployment that its provider has removed needs no action", () => {
    expect(decide({ ...STATUS, deleting: true }, null, CALM, NOW)).toMatchObject({ action: null, isRemoved: true });
  });
});

test("hasChanged is true only if an observed column differs", () => {
  const { observedStatus } = decide(STATUS, seen(1, "ready"), CALM, NOW);
  expect([hasChanged(STATUS, observedStatus), hasChanged({ ...STATUS, ...observedStatus }, observedStatus)]).toEqual([
    true,
    false,
  ]);
});
