import { t } from "@lingui/core/macro";
import type { Deployment, DeploymentEvent } from "./queries.ts";

type State = Deployment["state"];
type Tone = "good" | "loading" | "bad" | "cold";

type About = {
  word: string;
  tone: Tone;
  /** What the state means for callers. */
  says: string;
  /** Whether another state is expected without user action. */
  moves: boolean;
};

/** Label, colour and description of each state. */
export const STATES: Record<State, About> = {
  pending: { word: t`waiting`, tone: "loading", says: t`It is accepted and about to start.`, moves: true },
  initializing: {
    word: t`starting`,
    tone: "loading",
    says: t`Calls wait until the first replica answers.`,
    moves: true,
  },
  running: { word: t`running`, tone: "good", says: t`It answers.`, moves: false },
  scaled_to_zero: { word: t`asleep`, tone: "cold", says: t`No replica runs. The next call wakes it.`, moves: false },
  updating: {
    word: t`updating`,
    tone: "loading",
    says: t`Replicas are replaced one after the other; it goes on answering.`,
    moves: true,
  },
  update_failed: {
    word: t`update failed`,
    tone: "bad",
    says: t`The new replicas do not start. Those from before go on answering.`,
    moves: true,
  },
  paused: {
    word: t`paused`,
    tone: "cold",
    says: t`No replica runs, and calls are refused until it is resumed.`,
    moves: false,
  },
  failed: { word: t`failed`, tone: "bad", says: t`No replica starts, so calls are refused.`, moves: true },
  deleting: {
    word: t`being deleted`,
    tone: "cold",
    says: t`Its address has ended. Its replicas are ending.`,
    moves: true,
  },
};

/** Describes a state. Unknown states, of newer servers, are shown by name. */
export function aboutState(state: string): About {
  return (STATES as Partial<Record<string, About>>)[state] ?? { word: state, tone: "cold", says: "", moves: true };
}

/** Returns the polling interval in milliseconds: shorter while any state is changing. */
export function askAgainAfter(
  deployments: readonly Pick<Deployment, "state" | "ready_replicas" | "desired_replicas">[],
) {
  const moving = deployments.some(
    ({ state, ready_replicas, desired_replicas }) => aboutState(state).moves || ready_replicas !== desired_replicas,
  );
  return moving ? 3_000 : 12_000;
}

/** A step of a start or update. */
export type Step = { name: string; is: "done" | "now" | "failed" | "ahead"; at: Date | null; note: string | null };

const ON_THE_WAY: ReadonlySet<string> = new Set(["pending", "initializing", "updating"]);
const FAILURES: ReadonlySet<string> = new Set(["failed", "update_failed"]);

/**
 * Returns the progress of the latest start or update. `events` start with the newest. Null while the deployment sleeps,
 * is paused or is being deleted.
 */
export function stepsOf(
  { state, ready_replicas: ready, desired_replicas: desired, created_at }: Deployment,
  events: readonly DeploymentEvent[],
): Step[] | null {
  if (state === "scaled_to_zero" || state === "paused" || state === "deleting") return null;
  const way = lastWay(events);
  const began = way.at(-1);
  const isUpdate = state === "updating" || state === "update_failed" || began?.state === "updating";
  const starting = way.find((event) => event.state === "initializing" || event.state === "updating");
  const running = events[0]?.state === "running" ? events[0] : undefined;
  const failed = FAILURES.has(state);
  const answers = state === "running";
  const complete = answers && ready >= desired;
  const started = state !== "pending";
  return [
    { name: isUpdate ? t`Change accepted` : "Accepted", is: "done", at: began?.happened_at ?? created_at, note: null },
    {
      name: isUpdate ? t`Replacing replicas` : "Starting",
      is: failed ? "failed" : answers ? "done" : started ? "now" : "ahead",
      at: starting?.happened_at ?? null,
      note: null,
    },
    {
      name: isUpdate ? t`New replica answers` : t`First replica answers`,
      is: answers ? "done" : "ahead",
      at: answers ? (running?.happened_at ?? null) : null,
      note: null,
    },
    {
      name: t`All replicas answer`,
      is: complete ? "done" : answers ? "now" : "ahead",
      at: null,
      note: t`${ready} of ${Math.max(desired, ready)}`,
    },
  ];
}

/** Returns the events of the latest transition, newest first, without its outcome. */
function lastWay(events: readonly DeploymentEvent[]): DeploymentEvent[] {
  const first = events.findIndex(({ state }) => ON_THE_WAY.has(state));
  // Newer events are the outcome of the transition: running, or one or more failures.
  if (first === -1) return [];
  const rest = events.slice(first);
  const end = rest.findIndex(({ state }) => !ON_THE_WAY.has(state));
  return end === -1 ? rest : rest.slice(0, end);
}
