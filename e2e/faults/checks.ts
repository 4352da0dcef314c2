import assert from "node:assert/strict";
import { waitFor } from "@feather/testing/wait-for";
import { type Callers, type Seen, startCallers } from "./callers.ts";
import type { ReplicaEnvironment } from "./environment.ts";
import { holdAllUnits } from "./units.ts";

/**
 * A fault and the behaviour that is promised during it. `run` returns the measurements, and throws if the promise was
 * not kept.
 */
export type Scenario = {
  fault: string;
  promise: string;
  run(environment: ReplicaEnvironment): Promise<string>;
};

/** More callers than there are units, so that limits are reached all the time. */
export const CALLERS = 12;
/** A number of calls in which something would have shown. */
export const SOME = 40;
/**
 * Within this time what a dead replica had borrowed is back, and another one leads. Held only where the machine has
 * nothing else to do: `npm run faults`.
 */
const TAKEOVER_LIMIT_MS =
  process.env.FAULTS_TAKEOVER_LIMIT_MS === undefined ? null : Number(process.env.FAULTS_TAKEOVER_LIMIT_MS);
/** Statuses of calls that were served or found all units taken. */
export const SERVED = [200, 429];
/** The same, or came while the database was away. */
export const SERVED_OR_TOLD = [...SERVED, 503];

/** Runs a fault while callers call, and some more calls afterwards. */
export async function runUnderLoad(
  environment: ReplicaEnvironment,
  fault: (callers: Callers) => Promise<void>,
): Promise<Seen> {
  const callers = startCallers(environment, CALLERS);
  await callers.answered(SOME);
  await fault(callers);
  await callers.answered(SOME);
  return callers.stop();
}

/** Returns after how long every unit could be held, in milliseconds. */
export async function measureAllUnitsFree(environment: ReplicaEnvironment): Promise<number> {
  const tookMs = await holdAllUnits(environment, environment.backend);
  assertInTime(tookMs);
  return tookMs;
}

/** Each answered call has its usage row. */
export async function assertReceipts(environment: ReplicaEnvironment, { answered }: Seen): Promise<void> {
  await waitFor(async () => {
    const rows = await environment.query<{ id: string }>("select id from requests");
    const ids = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      answered.filter((id) => !ids.has(id)),
      [],
    );
  });
}

/** The replica of that number; the first is 0. */
export function pick(environment: ReplicaEnvironment, index: number) {
  const replica = environment.replicas[index];
  assert.ok(replica);
  return replica;
}

/** Throws when a call was answered with another status. */
export function assertOnly(seen: Seen, allowed: readonly number[]): void {
  const isAllowed = [...seen.statuses.keys()].every((status) => allowed.includes(status));
  assert.ok(isAllowed, `${describe(seen)}\n${seen.others.join("\n")}`);
}

/** A server that is stopping may take longer than its drain timeout where the machine is busy, and then ends with 1. */
export function assertGraceful(exitCode: number | null): void {
  if (TAKEOVER_LIMIT_MS !== null) assert.equal(exitCode, 0);
}

/** Throws, on a machine that has nothing else to do, when a takeover took too long. */
export function assertInTime(tookMs: number): void {
  if (TAKEOVER_LIMIT_MS !== null) assert.ok(tookMs < TAKEOVER_LIMIT_MS, `it took ${seconds(tookMs)}`);
}

/** How many calls were answered with one of these statuses. */
export function count({ statuses }: Seen, statusesToCount: readonly number[]): number {
  return statusesToCount.reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
}

/** Numbers of calls by status, as text. */
export function describe({ statuses }: Seen): string {
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, number]) => `${number} × ${status === 0 ? "broken" : status}`)
    .join(", ");
}

/** A duration in seconds, as text. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
