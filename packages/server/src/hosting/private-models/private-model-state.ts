import type { components } from "@feather/openapi/schema";

type PrivateModel = components["schemas"]["PrivateModel"];

/** The download of a private model, and the progress of its conversion from 0 to 1. Null if there is no download. */
export type DownloadState = {
  state: string;
  bytesDone: number;
  bytesTotal: number;
  converted?: number | null;
  error: string | null;
} | null;
/** The state of the model on this machine; null if its file is not here. */
export type HostingState =
  | { state: "warm" | "cold" | "unloading" }
  | { state: "loading"; progress: number | null; reason?: string | null }
  | { state: "failed"; reason: string }
  | null;

type PrivateModelState = Pick<PrivateModel, "state" | "progress" | "error">;

/** A download that an administrator paused waits, as a queued one does. */
const STATES_BY_PULL_STATE = {
  queued: "queued",
  downloading: "downloading",
  verifying: "downloading",
  converting: "converting",
  paused: "queued",
} as const;

/** An active download takes precedence, although the previous file may still be loaded. */
export function toPrivateModelState(download: DownloadState, hosting: HostingState): PrivateModelState {
  const toState = (
    state: PrivateModel["state"],
    progress: number | null = null,
    error: string | null = null,
  ): PrivateModelState => ({
    state,
    progress,
    error,
  });
  if (download && download.state in STATES_BY_PULL_STATE) {
    const { state, bytesDone, bytesTotal, converted = null, error } = download;
    const downloaded = bytesTotal > 0 ? Math.min(bytesDone / bytesTotal, 1) : 0;
    const progress = state === "converting" ? converted : downloaded;
    const reason = state === "paused" ? "An administrator paused the download." : error;
    return toState(STATES_BY_PULL_STATE[state as keyof typeof STATES_BY_PULL_STATE], progress, reason);
  }
  if (hosting?.state === "warm") return toState("ready");
  if (hosting?.state === "loading") return toState("loading", hosting.progress, hosting.reason ?? null);
  if (hosting?.state === "unloading") return toState("unloading");
  if (hosting?.state === "failed") return toState("failed", null, hosting.reason);
  if (download?.state === "failed") return toState("failed", null, download.error);
  return toState("unloaded");
}
