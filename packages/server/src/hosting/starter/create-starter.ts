import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { BackendRegistry } from "../../gateway/index.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import type { Hosting } from "../hosts/index.ts";
import { findRuntime } from "../runtimes/index.ts";
import type { StarterSettings } from "./starter.settings.ts";
import { type StarterProgress, startFirstModel } from "./starter.ts";

type Deps = {
  settings: StarterSettings;
  /** Whether public models run on this machine. */
  isLocal: boolean;
  modelHost: Pick<Hosting, "runtimes" | "modelStore" | "storedModels" | "files" | "host">;
  registry: Pick<BackendRegistry, "listOperatorModels">;
  log: Logger;
};

const CHECK_MS = SECOND_MS;
const ENDED = ["done", "canceled", "paused", "failed"] as const;

/**
 * Returns the function that downloads and loads a first model in the background, until the signal aborts. It reports the
 * progress in sentences.
 */
export function createStarter({ settings, isLocal, modelHost, registry, log }: Deps) {
  const { runtimes, modelStore, storedModels, files, host } = modelHost;
  const memoryBytes = findRuntime(runtimes, {})?.memory.budget ?? 0;
  return async (report: (text: string) => void, signal: AbortSignal): Promise<void> => {
    await startFirstModel({
      setting: isLocal ? settings.model : "off",
      memoryBytes,
      hasModels: async () =>
        registry.listOperatorModels().length > 0 ||
        (await storedModels.list()).length > 0 ||
        (await files.listPulls()).length > 0,
      async pull(modelId) {
        const row = await modelStore.pullPublic(modelId, undefined, null, async () => {});
        return { id: row.id, modelId: row.model_id, bytesTotal: row.bytes_total };
      },
      async readProgress(pullId) {
        const row = await files.findPull(pullId);
        if (row === undefined) return { state: "canceled", bytesDone: 0, error: null };
        const state: StarterProgress["state"] = ENDED.find((ended) => ended === row.state) ?? "running";
        return { state, bytesDone: row.bytes_done, error: row.error };
      },
      wake: (modelId) => host.wake(modelId),
      wait: () => sleep(CHECK_MS, undefined, { signal }),
      report,
      log,
    }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  };
}
