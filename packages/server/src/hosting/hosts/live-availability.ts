import type { BackendRegistry, Loading } from "../../gateway/index.ts";
import type { OpenPulls } from "../store/index.ts";
import type { ModelHost } from "./host.ts";

/** Looks up whether a model can be called: on a backend, or after it is loaded or downloaded on this machine. */
export type LiveAvailability = {
  availability(modelId: string): {
    tier: "warm" | "loading" | "cold" | "offline";
    /** Whether a backend answered a call for it within the last hour. */
    recent: boolean;
    loading: Loading | null;
    /** A sentence that says what delays or prevents loading it; null if nothing does or that is unknown. */
    reason: string | null;
    /** Whether no backend can run it yet, because its files are still being downloaded. */
    isDownloading: boolean;
  };
};

/** Creates the lookup that combines the availability on backends with loading on this machine and with downloads. */
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
