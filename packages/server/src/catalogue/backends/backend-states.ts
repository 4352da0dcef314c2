import type { BackendRegistry, Discovery } from "../../gateway/index.ts";
import type { Clock } from "../../platform/core/clock.ts";

type Deps = { registry: Pick<BackendRegistry, "list">; discovery: Pick<Discovery, "listChecks">; clock: Clock };

/** Whether a backend is used for calls, and how many calls it is answering. */
export type BackendState = {
  name: string;
  /** Whether it is an engine that this server has started. */
  isOwn: boolean;
  isUp: boolean;
  runningCalls: number;
};

/**
 * Returns the backends that this process knows, including those that were never reachable, without a query to the database.
 */
export function listBackendStates({ registry, discovery, clock }: Deps): BackendState[] {
  const checks = discovery.listChecks();
  const now = clock.now().getTime();
  const states = registry.list().map(({ name, source, circuitOpenUntil, inFlight }) => ({
    name,
    isOwn: source === "engine" || source === "deployment",
    isUp: circuitOpenUntil <= now && (checks.get(name)?.error ?? null) === null,
    runningCalls: inFlight,
  }));
  const known = new Set(states.map(({ name }) => name));
  const unreachable = [...checks.keys()].filter((name) => !known.has(name));
  return [...states, ...unreachable.map((name) => ({ name, isOwn: false, isUp: false, runningCalls: 0 }))];
}
