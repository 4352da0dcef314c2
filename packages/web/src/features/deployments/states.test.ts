import type { Deployment, DeploymentEvent } from "@feather/sdk";
import { buildDeployment } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { describeState, refetchDelayMs, STATE_INFO, toProgressSteps } from "./states.ts";

const CREATED = new Date("2026-11-19T14:00:00Z");
const one = (more: object) => ({ ...buildDeployment(), created_at: CREATED, ...more }) as unknown as Deployment;
const minute = (minutes: number) => new Date(CREATED.getTime() + minutes * 60_000);
/** A history from the oldest to the newest, a minute each. */
const history = (...states: string[]): DeploymentEvent[] =>
  states
    .map((state, index) => ({ state, message: "", happened_at: minute(index) }) as unknown as DeploymentEvent)
    .reverse();
const marks = (more: object, ...states: string[]) =>
  toProgressSteps(one(more), history(...states))?.map(({ status }) => status);

test("every state has a unique label", () => {
  const labels = Object.values(STATE_INFO).map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(describeState("made_up")).toMatchObject({ label: "made_up", isTransient: true });
});

test.each([
  ["pending", ["pending"], ["done", "ahead", "ahead", "ahead"]],
  ["initializing", ["pending", "initializing"], ["done", "now", "ahead", "ahead"]],
  ["failed", ["pending", "initializing", "failed"], ["done", "failed", "ahead", "ahead"]],
  ["updating", ["running", "updating"], ["done", "now", "ahead", "ahead"]],
  ["update_failed", ["running", "updating", "update_failed"], ["done", "failed", "ahead", "ahead"]],
])("the state %s after %j is at step %j", (state, events, expected) => {
  expect(marks({ state, ready_replicas: 0 }, ...events)).toEqual(expected);
});

test("the progress is complete once all replicas are ready", () => {
  const events = ["pending", "initializing", "running"];
  expect(marks({ state: "running", ready_replicas: 1, desired_replicas: 2 }, ...events)?.at(-1)).toBe("now");
  expect(marks({ state: "running", ready_replicas: 2, desired_replicas: 2 }, ...events)?.at(-1)).toBe("done");
});

test("the steps have the times of the latest start, not of an earlier one", () => {
  const events = history("pending", "initializing", "running", "scaled_to_zero", "initializing", "running");
  const steps = toProgressSteps(one({ state: "running" }), events);
  expect(steps?.map(({ at }) => at)).toEqual([minute(4), minute(4), minute(5), null]);
  expect(steps?.[0]?.name).toBe("Accepted");
});

test("the steps of an update differ from those of a start", () => {
  const steps = toProgressSteps(one({ state: "running" }), history("pending", "running", "updating", "running"));
  expect(steps?.map(({ name }) => name)).toEqual([
    "Change accepted",
    "Replacing replicas",
    "New replica answers",
    "All replicas answer",
  ]);
});

test("the first step has the time of creation if there are no events", () => {
  expect(toProgressSteps(one({ state: "pending" }), [])?.[0]).toMatchObject({ at: CREATED, status: "done" });
});

test.each(["scaled_to_zero", "paused", "deleting"])("the state %s has no progress", (state) => {
  expect(toProgressSteps(one({ state }), history("pending"))).toBeNull();
});

test("deployments in transition are polled more often", () => {
  const still = one({ state: "running" });
  expect(refetchDelayMs([still])).toBeGreaterThan(refetchDelayMs([still, one({ state: "initializing" })]));
  expect(refetchDelayMs([one({ ready_replicas: 1, desired_replicas: 2 })])).toBe(3_000);
  expect(refetchDelayMs([])).toBe(12_000);
});
