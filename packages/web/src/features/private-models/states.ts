import { t } from "@lingui/core/macro";
import type { PrivateModel } from "./queries.ts";

type About = {
  word: string;
  tone: "good" | "loading" | "bad" | "cold";
  says: string;
  /** Whether the state is transient. */
  moves: boolean;
};

const STATES: Record<PrivateModel["state"], About> = {
  queued: { word: t`queued`, tone: "loading", says: t`Waits for its turn to be fetched.`, moves: true },
  downloading: {
    word: t`downloading`,
    tone: "loading",
    says: t`Its file is fetched from the hub and checked.`,
    moves: true,
  },
  loading: { word: t`loading`, tone: "loading", says: t`It is read into memory.`, moves: true },
  ready: { word: t`ready`, tone: "good", says: t`Answers at once.`, moves: false },
  unloading: { word: t`unloading`, tone: "loading", says: t`Its memory is being freed.`, moves: true },
  unloaded: { word: t`unloaded`, tone: "cold", says: t`The next call loads it, if its file is here.`, moves: false },
  failed: { word: t`failed`, tone: "bad", says: t`It could not be loaded.`, moves: false },
};

/** All known states. */
export const STATE_NAMES = Object.keys(STATES) as PrivateModel["state"][];

/** Returns the description of a state. An unknown state is shown by its name. */
export function aboutState(state: string): About {
  return (STATES as Partial<Record<string, About>>)[state] ?? { word: state, tone: "cold", says: "", moves: true };
}

/**
 * Returns the refetch interval in milliseconds: short while a state is transient. It is never off, because a call may
 * load a model at any time.
 */
export function askAgainAfter(models: readonly Pick<PrivateModel, "state">[]): number {
  return models.some(({ state }) => aboutState(state).moves) ? 2_000 : 15_000;
}

/** Returns the action that a state allows: a download can be stopped, a loaded model unloaded, any other loaded. */
export function choiceOf(state: string): "stop" | "unload" | "load" | null {
  if (state === "queued" || state === "downloading") return "stop";
  if (state === "ready" || state === "loading") return "unload";
  return state === "unloaded" || state === "failed" ? "load" : null;
}
