import { hasCode } from "../../platform/core/errors/index.ts";
import { messageOf } from "../../platform/core/errors/message-of.ts";
import type { StarterSettings } from "./starter.settings.ts";
import { listCandidates } from "./starter-models.ts";

/** A download of the first model. */
export type StarterPull = { id: string; modelId: string; bytesTotal: number };
/** The state of a download. `error` says why it failed, or why it is tried again. */
export type StarterProgress = {
  state: "running" | "done" | "canceled" | "paused" | "failed";
  bytesDone: number;
  error: string | null;
};

type Deps = {
  setting: StarterSettings["model"];
  /** The memory for models, in bytes. */
  memoryBytes: number;
  /** Returns whether the server has, or ever had, a model besides the built-in ones. */
  hasModels(): Promise<boolean>;
  /** Starts the download of a model. Throws `hub.unavailable` if the hub cannot be reached. */
  pull(modelId: string): Promise<StarterPull>;
  readProgress(pullId: string): Promise<StarterProgress>;
  /** Loads a model into memory. */
  wake(modelId: string): Promise<unknown>;
  /** Waits before the state of the download is read again. Rejects when the server stops. */
  wait(): Promise<void>;
  /** Tells the operator about the progress. */
  report(text: string): void;
  log: { warn(fields: object, text: string): void };
};

/** The part of a download after which its progress is reported again. */
const REPORTED_STEP = 0.25;
const HELP = "Download one with `feather run owner/name`, or connect a backend. FEATHER_STARTER_MODEL=off stops this.";

/**
 * Downloads a first model in the background if the server has none, and loads it. Resolves when it is loaded or could not be
 * had, which is one line in the log. Rejects only when the server stops.
 */
export async function startFirstModel(deps: Deps): Promise<void> {
  const { log, report } = deps;
  if (deps.setting === "off" || (await deps.hasModels())) return;
  const pull = await startPull(deps).catch((error: unknown) => {
    log.warn({ reason: messageOf(error) }, `No first model could be downloaded. ${HELP}`);
    return null;
  });
  if (pull === null) return;
  const bytes = `${Math.round(pull.bytesTotal / 1e6)} MB`;
  report(`Downloading a first model, ${pull.modelId} (${bytes}).`);
  const { state, error } = await followPull(deps, pull);
  if (state === "failed")
    log.warn({ model: pull.modelId, reason: error }, `The first model could not be downloaded. ${HELP}`);
  if (state !== "done") return;
  await deps.wake(pull.modelId);
  report(`The first model, ${pull.modelId}, can be called now: feather chat.`);
}

/** Starts the download of the first candidate that can be had. Throws why the last one could not. */
async function startPull({ setting, memoryBytes, pull }: Deps): Promise<StarterPull> {
  const candidates = listCandidates(setting, memoryBytes);
  let failure: unknown = new Error("The memory for models is too small for any.");
  for (const id of candidates)
    try {
      return await pull(id);
    } catch (error) {
      failure = error;
      if (!hasCode(error, "hub.unavailable")) break;
    }
  throw failure;
}

async function followPull({ readProgress, wait, report }: Deps, { id, bytesTotal }: StarterPull) {
  let reported = 0;
  let hasReportedError = false;
  for (;;) {
    const progress = await readProgress(id);
    if (progress.state !== "running") return progress;
    if (progress.error !== null && !hasReportedError) {
      hasReportedError = true;
      report(`The first model: ${progress.error} It is tried again by itself. ${HELP}`);
    }
    const part = progress.bytesDone / Math.max(1, bytesTotal);
    if (part >= reported + REPORTED_STEP) {
      reported = Math.floor(part / REPORTED_STEP) * REPORTED_STEP;
      report(`The first model: ${Math.round(reported * 100)} % downloaded.`);
    }
    await wait();
  }
}
