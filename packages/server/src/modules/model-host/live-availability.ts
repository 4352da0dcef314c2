import type { BackendRegistry, Loading } from "../../gateway/index.ts";
import type { OpenPulls } from "../model-store/index.ts";
import type { ModelHost } from "./model-host.ts";

/** The tier of a model by its backends, and its progress if this machine is loading or downloading it. */
export type LiveAvailability = {
  availability(modelId: string): {
    tier: "warm" | "loading" | "cold" | "offline";
    /** Whether a backend answered for it within the last hour. */
    recent: boolean;
    loading: Loading | null;
    /** What hinders it from being loaded, or why it cannot be, in a sentence; null if nothing does, or that is not known. */
    reason: string | null;
    /** Whether nothing can run it yet, because its files are still being downloaded. */
    isDownloading: boolean;
  };
};

/** Combines the availability on backends with that on this machine, and with the downloads to it. */
export function createLiveAvailability(
  registry: Pick<BackendRegistry, "availability">,
  host: Pick<ModelHost, "availability" | "loadingProblem">,
  downloads: Pick<OpenPulls, "loading">,
): LiveAvailability {
  return {
    availability(id) {
      const { tier, recent } = registry.availability(id);
      const hosted = tier === "warm" ? null : host.availability(id);
      const download = tier === "offline" && hosted === null ? downloads.loading(id) : null;
      const loading = hosted ?? download;
      const reason = loading?.reason ?? (tier === "offline" ? host.loadingProblem(id) : null);
      return { tier: loading?.tier ?? tier, recent, loading, reason, isDownloading: download !== null };
    },
  };
}
