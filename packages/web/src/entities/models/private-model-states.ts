import type { PrivateModel } from "@feather/sdk";
import { t } from "@lingui/core/macro";

type StateDescription = {
  label: string;
  tone: "good" | "loading" | "bad" | "cold";
  explanation: string;
  /** Whether the state is transient. */
  isTransient: boolean;
};

const STATES: Record<PrivateModel["state"], StateDescription> = {
  queued: { label: t`queued`, tone: "loading", explanation: t`Waits for its turn to be fetched.`, isTransient: true },
  downloading: {
    label: t`downloading`,
    tone: "loading",
    explanation: t`Its files are fetched from the hub and checked.`,
    isTransient: true,
  },
  converting: {
    label: t`converting`,
    tone: "loading",
    explanation: t`A GGUF file is made of its safetensors files.`,
    isTransient: true,
  },
  loading: { label: t`loading`, tone: "loading", explanation: t`It is read into memory.`, isTransient: true },
  ready: { label: t`ready`, tone: "good", explanation: t`Answers at once.`, isTransient: false },
  unloading: { label: t`unloading`, tone: "loading", explanation: t`Its memory is being freed.`, isTransient: true },
  unloaded: {
    label: t`unloaded`,
    tone: "cold",
    explanation: t`The next call loads it, if its files are here.`,
    isTransient: false,
  },
  failed: { label: t`failed`, tone: "bad", explanation: t`It could not be loaded.`, isTransient: false },
};

/** All known states. */
export const STATE_NAMES = Object.keys(STATES) as PrivateModel["state"][];

/** Returns the description of a state. An unknown state is shown by its name. */
export function describeState(state: string): StateDescription {
  return (
    (STATES as Partial<Record<string, StateDescription>>)[state] ?? {
      label: state,
      tone: "cold",
      explanation: "",
      isTransient: true,
    }
  );
}

/**
 * Returns the refetch interval in milliseconds: short while a state is transient. It is never off, because a call may
 * load a model at any time.
 */
export function getRefetchIntervalMs(models: readonly Pick<PrivateModel, "state">[]): number {
  return models.some(({ state }) => describeState(state).isTransient) ? 2_000 : 15_000;
}

/** Returns the action that a state allows: a download can be stopped, a loaded model unloaded, any other loaded. */
export function getStateAction(state: string): "stop" | "unload" | "load" | null {
  if (state === "queued" || state === "downloading" || state === "converting") return "stop";
  if (state === "ready" || state === "loading") return "unload";
  return state === "unloaded" || state === "failed" ? "load" : null;
}

/** Returns whether a program runs safetensors files, which deployments on this machine do not. */
export function runsSafetensors(runtime: PrivateModel["runtime"]): boolean {
  return runtime === "vllm" || runtime === "sglang";
}
