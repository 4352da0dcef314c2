import { describe, expect, it } from "vitest";
import { type Demand, decide, differs, SCALE_DOWN_HOLD, type Status } from "./decide.ts";
import type { Observed, Replica } from "./provider.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const CALM: Demand = { pending: 0, lastRequestAt: null };
const STATUS: Status = {
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

/** Replicas as `<state>` or `<state>@<generation>`, with what was last asked for. */
function seen(wanted: number, ...states: string[]): Observed {
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
  return { generation: 1, wanted, replicas };
}

describe("how many replicas there shall be", () => {
  it.each<[string, Partial<Status>, Partial<Demand>, number]>([
    ["one, where little is asked", {}, {}, 1],
    ["as many as the load needs", {}, { pending: 9 }, 3],
    ["the load exactly", {}, { pending: 8 }, 2],
    ["no more than the most", {}, { pending: 1_000 }, 5],
    ["no fewer than the least", { min_replicas: 2 }, {}, 2],
    ["the least also while it sleeps for others", { min_replicas: 2, last_request_at: ago(9_999) }, {}, 2],
    ["none after the idle time", { last_request_at: ago(60) }, {}, 0],
    ["one a second before", { last_request_at: ago(59) }, {}, 1],
    ["one where the last call came lately", { last_request_at: ago(999) }, { lastRequestAt: ago(5) }, 1],
    ["one where a call runs for long", { last_request_at: ago(999) }, { pending: 1 }, 1],
    ["one where it never sleeps", { scale_to_zero_after_s: null, last_request_at: ago(99_999) }, {}, 1],
    ["none where nobody ever called", { last_request_at: null }, {}, 0],
    ["none while it is paused", { paused: true, min_replicas: 2 }, { pending: 9 }, 0],
    ["none while it is deleted", { deleting: true, min_replicas: 2 }, { pending: 9 }, 0],
    ["a share of a request to each", { autoscale_target: 0.5 }, { pending: 2 }, 4],
  ])("%s", (_what, status, demand, replicas) => {
    const { found } = decide({ ...STATUS, ...status }, null, { ...CALM, ...demand }, NOW);
    expect(found.desired_replicas).toBe(replicas);
  });

  it("is less only after the load was less for a while, and more at once", () => {
    const status = { ...STATUS, desired_replicas: 4 };
    const first = decide(status, null, { ...CALM, pending: 1 }, NOW).found;
    expect([first.desired_replicas, first.scale_down_since]).toEqual([4, NOW]);
    const again = (milliseconds: number, pending: number) =>
      decide({ ...status, ...first }, null, { ...CALM, pending }, new Date(NOW.getTime() + milliseconds)).found;
    expect(again(SCALE_DOWN_HOLD - 1, 1)).toMatchObject({ desired_replicas: 4, scale_down_since: NOW });
    expect(again(SCALE_DOWN_HOLD - 1, 16)).toMatchObject({ desired_replicas: 4, scale_down_since: null });
    expect(again(SCALE_DOWN_HOLD, 1)).toMatchObject({ desired_replicas: 1, scale_down_since: null });
    expect(again(1_000, 20)).toMatchObject({ desired_replicas: 5, scale_down_since: null });
  });

  it("is less at once where the most has become less", () => {
    const { found } = decide({ ...STATUS, desired_replicas: 5, max_replicas: 2 }, null, { ...CALM, pending: 20 }, NOW);
    expect(found.desired_replicas).toBe(2);
  });
});

describe("the state", () => {
  it.each<[string, Observed | null, Partial<Status>, string, string | null]>([
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
  ])("is %s", (_what, observed, status, state, reason) => {
    const { found } = decide({ ...STATUS, ...status }, observed, CALM, NOW);
    expect([found.state, found.state_reason]).toEqual([state, reason]);
  });
});

describe("what the provider is asked for", () => {
  it.each<[string, Observed | null, Partial<Status>, object | null]>([
    ["all, where there is nothing", null, {}, { kind: "apply", replicas: 1 }],
    ["nothing, where it knows", seen(1, "starting"), {}, null],
    ["another number", seen(2, "ready", "ready"), {}, { kind: "apply", replicas: 1 }],
    ["another generation", seen(1, "ready"), { generation: 2 }, { kind: "apply", replicas: 1 }],
    ["nothing, where there is nothing and shall be nothing", null, { paused: true }, null],
    ["an end", seen(1, "ready"), { paused: true }, { kind: "apply", replicas: 0 }],
    ["to remove what is deleted", seen(1, "ready"), { deleting: true }, { kind: "remove" }],
  ])("%s", (_what, observed, status, ask) => {
    expect(decide({ ...STATUS, ...status }, observed, CALM, NOW).ask).toEqual(ask);
  });

  it("is nothing of what is deleted and gone", () => {
    expect(decide({ ...STATUS, deleting: true }, null, CALM, NOW)).toMatchObject({ ask: null, isGone: true });
  });
});

it("writes down only what is new", () => {
  const { found } = decide(STATUS, seen(1, "ready"), CALM, NOW);
  expect([differs(STATUS, found), differs({ ...STATUS, ...found }, found)]).toEqual([true, false]);
});
