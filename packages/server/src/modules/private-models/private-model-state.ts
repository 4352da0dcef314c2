import type { components } from "@feather/openapi/schema";

type PrivateModel = components["schemas"]["PrivateModel"];

/** The download of a private model; null if there is none. */
export type Fetching = { state: string; bytesDone: number; bytesTotal: number; error: string | null } | null;
/** What this machine does with the model; null if its file is not here. */
export type Hosted =
  | { is: "warm" | "cold" | "unloading" }
  | { is: "loading"; progress: number | null }
  | { is: "failed"; reason: string }
  | null;

type State = Pick<PrivateModel, "state" | "progress" | "error">;

const RUNNING = { queued: "queued", downloading: "downloading", verifying: "downloading" } as const;

/** An active download takes precedence, although the previous file may still be loaded. */
export function stateOf(fetching: Fetching, hosted: Hosted): State {
  const is = (state: PrivateModel["state"], progress: number | null = null, error: string | null = null): State => ({
    state,
    progress,
    error,
  });
  if (fetching && fetching.state in RUNNING) {
    const { state, bytesDone, bytesTotal, error } = fetching;
    const share = bytesTotal > 0 ? Math.min(bytesDone / bytesTotal, 1) : 0;
    return is(RUNNING[state as keyof typeof RUNNING], share, error);
  }
  if (hosted?.is === "warm") return is("ready");
  if (hosted?.is === "loading") return is("loading", hosted.progress);
  if (hosted?.is === "unloading") return is("unloading");
  if (hosted?.is === "failed") return is("failed", null, hosted.reason);
  if (fetching?.state === "failed") return is("failed", null, fetching.error);
  return is("unloaded");
}
