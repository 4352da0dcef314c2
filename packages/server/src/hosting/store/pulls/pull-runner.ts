import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { AppError } from "../../../platform/core/errors/index.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";
import type { PullKind, PullRow } from "../rows/pull-rows.ts";
import { PullFailedError } from "../store.errors.ts";
import type { StoreRepository } from "../store.repository.ts";

/**
 * The progress of a download. `bytes` are downloaded, `total` is set if the size becomes known during the download, and
 * `converted` is the share of the conversion, 0 to 1.
 */
export type PullProgress = { bytes: number; total?: number; converted?: number };

/**
 * Does a download, updates its progress, and stores it as done. Returns false if it was canceled or paused meanwhile.
 * Rejects with an AppError with a status of 500 or above if another attempt may succeed, and with `PullFailedError` if none
 * can.
 */
export type PullWork = (row: PullRow, progress: PullProgress, signal: AbortSignal) => Promise<boolean>;

type Deps = {
  storeRepository: Pick<StoreRepository, "claim" | "updateRunningPull" | "release">;
  /** The work for each kind of download. */
  works: Readonly<Record<PullKind, PullWork>>;
  clock: Clock;
  log: Pick<Logger, "error">;
};

/** The number of downloads of each kind that a process does at the same time. */
const MAX_CONCURRENT_PULLS = 2;
const LEASE_MS = 30_000;
const HEARTBEAT_MS = 1_000;
const MAX_ATTEMPTS = 10;
const MIN_RETRY_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 300_000;
const STOPPED = new Error("The server is being stopped.");
/** The abort reason of a download that was canceled or paused. */
const WITHDRAWN = new Error("The download was canceled or paused.");

type RunningPull = { kind: PullKind; abort: AbortController; done: Promise<void> };
type Context = Deps & {
  /** The downloads that run in this process, by the id of their row. */
  running: Map<string, RunningPull>;
  /** Resolves when the current search for queued downloads has ended. */
  polling: Promise<void>;
  stopped: boolean;
};

/** Runs queued downloads. If a process dies, another one continues its downloads after their lease has expired. */
export function createPullRunner(deps: Deps) {
  const context: Context = { ...deps, running: new Map(), polling: Promise.resolve(), stopped: false };
  const poll = () => pollQueue(context);
  return {
    /** Starts queued downloads, up to `MAX_CONCURRENT_PULLS` of each kind. */
    poll,
    ...bind(context, { abort: abortPull, stop: stopPulls, waitUntilIdle }),
    job: { name: "fetch model files", everySeconds: 5, run: poll },
  };
}

export type PullRunner = ReturnType<typeof createPullRunner>;

function pollQueue(context: Context): Promise<void> {
  context.polling = context.polling
    .then(() => claimAll(context))
    .catch((error: unknown) => context.log.error({ err: error }, "downloads are not looked for"));
  return context.polling;
}

/** Aborts a canceled or paused download if it runs in this process. */
function abortPull({ running }: Context, id: string): void {
  running.get(id)?.abort.abort(WITHDRAWN);
}

/** Aborts all downloads of this process and queues them again. They continue later from the bytes that they have. */
async function stopPulls(context: Context): Promise<void> {
  const { running } = context;
  context.stopped = true;
  abortAll(context);
  // A download that is being claimed meanwhile is started, and then aborted too.
  await context.polling;
  abortAll(context);
  await Promise.all([...running.values()].map(({ done }) => done));
}

function abortAll({ running }: Context): void {
  for (const { abort } of running.values()) abort.abort(STOPPED);
}

/** Resolves when no download is running. */
async function waitUntilIdle(context: Context): Promise<void> {
  const { running } = context;
  await context.polling;
  while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done));
}

function fromNow({ clock }: Context, milliseconds: number): Date {
  return new Date(clock.now().getTime() + milliseconds);
}

async function claimAll(context: Context): Promise<void> {
  for (const kind of Object.keys(context.works) as PullKind[]) await claimKind(context, kind);
}

async function claimKind(context: Context, kind: PullKind): Promise<void> {
  const { storeRepository, running, clock } = context;
  const countRunning = () => [...running.values()].filter((pull) => pull.kind === kind).length;
  while (!context.stopped && countRunning() < MAX_CONCURRENT_PULLS) {
    const row = await storeRepository.claim(kind, clock.now(), fromNow(context, LEASE_MS));
    if (!row || running.has(row.id)) return;
    const abort = new AbortController();
    const done = runPull(context, context.works[kind], row, abort).finally(() => {
      running.delete(row.id);
      void pollQueue(context);
    });
    running.set(row.id, { kind, abort, done });
  }
}

async function runPull(context: Context, work: PullWork, row: PullRow, abort: AbortController): Promise<void> {
  const { storeRepository, clock, log } = context;
  const progress: PullProgress = { bytes: row.bytes_done };
  const heartbeat = setInterval(() => {
    const lease = { lease_until: fromNow(context, LEASE_MS), updated_at: clock.now() };
    storeRepository.updateRunningPull(row.id, { ...toColumns(progress), ...lease }).then(
      (isOwned) => isOwned || abort.abort(WITHDRAWN),
      () => {}, // the lease outlasts several missed heartbeats
    );
  }, HEARTBEAT_MS);
  try {
    if (!(await work(row, progress, abort.signal))) await storeRepository.release(row.id, progress.bytes);
  } catch (error) {
    const reason: unknown = abort.signal.aborted ? abort.signal.reason : error;
    await recordFailure(context, row, reason, progress).catch((cause: unknown) =>
      log.error({ err: cause, pull: row.id }, "a download could not be noted"),
    );
  } finally {
    clearInterval(heartbeat);
  }
}

function toColumns({ bytes, total, converted }: PullProgress) {
  return {
    bytes_done: bytes,
    ...(total !== undefined && { bytes_total: total }),
    ...(converted !== undefined && { conversion_progress: converted }),
  };
}

async function recordFailure(context: Context, row: PullRow, error: unknown, progress: PullProgress): Promise<void> {
  const { storeRepository, clock } = context;
  if (error !== WITHDRAWN) {
    const change = {
      ...toFailure(context, row, error, progress),
      ...toColumns(progress),
      conversion_progress: null,
      updated_at: clock.now(),
    };
    if (await storeRepository.updateRunningPull(row.id, change)) return;
  }
  await storeRepository.release(row.id, progress.bytes);
}

/** Returns the columns of a download after a failure: queued for another attempt, now or after a delay, or failed. */
function toFailure(context: Context, row: PullRow, error: unknown, { bytes }: PullProgress) {
  if (error === STOPPED) return { state: "queued", lease_until: null };
  const attempts = bytes > row.bytes_done ? 1 : row.attempts + 1;
  const message = errorMessage(error);
  if (error instanceof AppError && error.status >= 500 && attempts < MAX_ATTEMPTS)
    return {
      state: "queued",
      attempts,
      error: message,
      lease_until: fromNow(context, computeRetryDelay(error, attempts)),
    };
  if (!(error instanceof AppError || error instanceof PullFailedError))
    context.log.error({ err: error, pull: row.id }, "a download failed");
  return { state: "failed", error: message, sealed_token: null, lease_until: null };
}

/** Returns the delay before the next attempt, in milliseconds. A hub that limits requests states it in `retry-after`. */
function computeRetryDelay(error: AppError, attempts: number): number {
  if (error.code === "hub.rate_limited") return Number(error.headers["retry-after"]) * SECOND_MS;
  return Math.min(MIN_RETRY_DELAY_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS);
}

function errorMessage(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ENOSPC") return "The disk is full.";
  return error instanceof Error ? error.message : String(error);
}
