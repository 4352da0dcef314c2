import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors/index.ts";
import type { PullKind, PullRow, StoreRepository } from "../model-store/index.ts";

/** How far a download is, in bytes; `total` is set where it becomes known only now. */
export type PullProgress = { bytes: number; total?: number };

type Deps = {
  storeRepository: Pick<StoreRepository, "claim" | "updateRunningPull" | "release">;
  clock: Clock;
  log: Pick<Logger, "error">;
  /** Which downloads it runs. */
  kind: PullKind;
  /** Does a download, and stores that it is done. */
  work(row: PullRow, progress: PullProgress, signal: AbortSignal): Promise<void>;
};
type Context = Deps & {
  /** The downloads that run, by the id of their row. */
  running: Map<string, { abort: AbortController; done: Promise<void> }>;
  stopped: boolean;
};

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 1_000;
const MAX_ATTEMPTS = 8;
const MIN_RETRY_DELAY_MS = 2_000;
const STOPPED = new Error("The server is being stopped.");
/** Somebody canceled or paused the download. */
const WITHDRAWN = new Error("The download was canceled or paused.");

/**
 * Runs downloads that the runner of single files does not know, in the same list. One whose process died is taken over after
 * its lease has expired, and one that fails for a while is tried again.
 */
export function createLeasedPulls(deps: Deps) {
  const context: Context = { ...deps, running: new Map(), stopped: false };
  return bind(context, { poll: claimPulls, abort: abortPull, stop: stopPulls });
}

function nextLease({ clock }: Context): Date {
  return new Date(clock.now().getTime() + LEASE_MS);
}

/** Starts the downloads that no process runs. */
async function claimPulls(context: Context): Promise<void> {
  const { storeRepository, kind, running, clock } = context;
  while (!context.stopped) {
    const row = await storeRepository.claim(kind, clock.now(), nextLease(context));
    if (!row || running.has(row.id)) return;
    startPull(context, row);
  }
}

function startPull(context: Context, row: PullRow): void {
  const { running, log } = context;
  const abort = new AbortController();
  const done = runPull(context, row, abort)
    .catch((error: unknown) => log.error({ err: error, pull: row.id }, "a download could not be noted"))
    .finally(() => running.delete(row.id));
  running.set(row.id, { abort, done });
}

/** Aborts a canceled or paused download if it runs in this process. */
function abortPull({ running }: Context, id: string): void {
  running.get(id)?.abort.abort(WITHDRAWN);
}

/** Aborts all downloads; they continue at the next start. */
async function stopPulls(context: Context): Promise<void> {
  const { running } = context;
  context.stopped = true;
  for (const { abort } of running.values()) abort.abort(STOPPED);
  await Promise.all([...running.values()].map(({ done }) => done));
}

async function runPull(context: Context, row: PullRow, abort: AbortController): Promise<void> {
  const { storeRepository, clock } = context;
  const progress: PullProgress = { bytes: row.bytes_done };
  const save = (change: Parameters<StoreRepository["updateRunningPull"]>[1]) =>
    storeRepository.updateRunningPull(row.id, {
      ...change,
      ...(progress.total !== undefined && { bytes_total: progress.total }),
      bytes_done: progress.bytes,
      updated_at: clock.now(),
    });
  const heartbeat = setInterval(() => {
    save({ lease_until: nextLease(context) }).then(
      (isOwned) => isOwned || abort.abort(WITHDRAWN),
      () => {}, // the lease outlasts several missed heartbeats
    );
  }, HEARTBEAT_MS);
  try {
    const onError = (error: string) => save({ error });
    await withRetries(onError, abort.signal, () => context.work(row, progress, abort.signal));
  } catch (error) {
    const reason: unknown = abort.signal.aborted ? abort.signal.reason : error;
    if (reason === WITHDRAWN) return await storeRepository.release(row.id, progress.bytes);
    if (reason === STOPPED) await save({ state: "queued", lease_until: null });
    else await save({ state: "failed", error: errorMessage(reason), lease_until: null });
  } finally {
    clearInterval(heartbeat);
  }
}

/** Runs the work again while what it downloads from is not reachable. */
async function withRetries(
  onError: (message: string) => Promise<unknown>,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isTemporary = error instanceof AppError && error.status >= 500;
      if (signal.aborted || !isTemporary || attempt === MAX_ATTEMPTS) throw error;
      await onError(error.message);
      await sleep(MIN_RETRY_DELAY_MS * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}

function errorMessage(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ENOSPC") return "The disk is full.";
  return error instanceof Error ? error.message : String(error);
}
