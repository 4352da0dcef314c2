import type { Deployment, DeploymentEvent } from "@feather/sdk";
import { t } from "@lingui/core/macro";

type State = Deployment["state"];
type Tone = "good" | "loading" | "bad" | "cold";

type StateInfo = {
  label: string;
  tone: Tone;
  /** What the state means for callers. */
  description: string;
  /** Whether another state is expected without user action. */
  isTransient: boolean;
};

/** Label, colour and description of each state. */
export const STATE_INFO: Record<State, StateInfo> = {
  pending: {
    label: t`waiting`,
    tone: "loading",
    description: t`It is accepted and about to start.`,
    isTransient: true,
  },
  initializing: {
    label: t`starting`,
    tone: "loading",
    description: t`Calls wait until the first replica answers.`,
    isTransient: true,
  },
  running: { label: t`running`, tone: "good", description: t`It answers.`, isTransient: false },
  scaled_to_zero: {
    label: t`asleep`,
    tone: "cold",
    description: t`No replica runs. The next call wakes it.`,
    isTransient: false,
  },
  updating: {
    label: t`updating`,
    tone: "loading",
    description: t`Replicas are replaced one after the other; it goes on answering.`,
    isTransient: true,
  },
  update_failed: {
    label: t`update failed`,
    tone: "bad",
    description: t`The new replicas do not start. Those from before go on answering.`,
    isTransient: true,
  },
  paused: {
    label: t`paused`,
    tone: "cold",
    description: t`No replica runs, and calls are refused until it is resumed.`,
    isTransient: false,
  },
  failed: {
    label: t`failed`,
    tone: "bad",
    description: t`No replica starts, so calls are refused.`,
    isTransient: true,
  },
  deleting: {
    label: t`being deleted`,
    tone: "cold",
    description: t`Its address has ended. Its replicas are ending.`,
    isTransient: true,
  },
};

/** Describes a state. Unknown states, of newer servers, are shown by name. */
export function describeState(state: string): StateInfo {
  return (
    (STATE_INFO as Partial<Record<string, StateInfo>>)[state] ?? {
      label: state,
      tone: "cold",
      description: "",
      isTransient: true,
    }
  );
}

/** Returns the polling interval in milliseconds: shorter while any state is changing. */
export function refetchDelayMs(
  deployments: readonly Pick<Deployment, "state" | "ready_replicas" | "desired_replicas">[],
) {
  const isAnyTransient = deployments.some(
    ({ state, ready_replicas, desired_replicas }) =>
      describeState(state).isTransient || ready_replicas !== desired_replicas,
  );
  return isAnyTransient ? 3_000 : 12_000;
}

/** A step of a start or update. */
export type ProgressStep = {
  name: string;
  status: "done" | "now" | "failed" | "ahead";
  at: Date | null;
  note: string | null;
};

const IN_PROGRESS: ReadonlySet<string> = new Set(["pending", "initializing", "updating"]);
const FAILED_STATES: ReadonlySet<string> = new Set(["failed", "update_failed"]);

/**
 * Returns the progress of the latest start or update. `events` start with the newest. Null while the deployment sleeps,
 * is paused or is being deleted.
 */
export function toProgressSteps(
  { state, ready_replicas: ready, desired_replicas: desired, created_at }: Deployment,
  events: readonly DeploymentEvent[],
): ProgressStep[] | null {
  if (state === "scaled_to_zero" || state === "paused" || state === "deleting") return null;
  const transition = lastTransition(events);
  const firstEvent = transition.at(-1);
  const isUpdate = state === "updating" || state === "update_failed" || firstEvent?.state === "updating";
  const starting = transition.find((event) => event.state === "initializing" || event.state === "updating");
  const running = events[0]?.state === "running" ? events[0] : undefined;
  const hasFailed = FAILED_STATES.has(state);
  const isAnswering = state === "running";
  const isComplete = isAnswering && ready >= desired;
  const hasStarted = state !== "pending";
  return [
    {
      name: isUpdate ? t`Change accepted` : "Accepted",
      status: "done",
      at: firstEvent?.happened_at ?? created_at,
      note: null,
    },
    {
      name: isUpdate ? t`Replacing replicas` : "Starting",
      status: hasFailed ? "failed" : isAnswering ? "done" : hasStarted ? "now" : "ahead",
      at: starting?.happened_at ?? null,
      note: null,
    },
    {
      name: isUpdate ? t`New replica answers` : t`First replica answers`,
      status: isAnswering ? "done" : "ahead",
      at: isAnswering ? (running?.happened_at ?? null) : null,
      note: null,
    },
    {
      name: t`All replicas answer`,
      status: isComplete ? "done" : isAnswering ? "now" : "ahead",
      at: null,
      note: t`${ready} of ${Math.max(desired, ready)}`,
    },
  ];
}

/** Returns the events of the latest transition, newest first, without its outcome. */
function lastTransition(events: readonly DeploymentEvent[]): DeploymentEvent[] {
  const first = events.findIndex(({ state }) => IN_PROGRESS.has(state));
  // Newer events are the outcome of the transition: running, or one or more failures.
  if (first === -1) return [];
  const rest = events.slice(first);
  const end = rest.findIndex(({ state }) => !IN_PROGRESS.has(state));
  return end === -1 ? rest : rest.slice(0, end);
}
