import type { components } from "@feather/openapi/schema";

type PrivateModel = components["schemas"]["PrivateModel"];

/** How far the download is; null where there is none. */
export type Fetching = { state: string; bytesDone: number; bytesTotal: number; error: string | null } | null;
/** What the machine does with the file; null where it is not here. */
export type Hosted =
  | { is: "warm" | "cold" | "unloading" }
  | { is: "loading"; progress: number | null }
  | { is: "failed"; reason: string }
  | null;

type State = Pick<PrivateModel, "state" | "progress" | "error">;

const RUNNING = { queued: "queued", downloading: "downloading", verifying: "downloading" } as const;

/** A newer file may be on its way while the old one answers, so the download comes first. */
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
