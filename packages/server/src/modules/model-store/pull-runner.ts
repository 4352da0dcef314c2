import type { Logger } from "pino";
import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { AppError } from "../../core/errors/index.ts";
import type { Sealer } from "../../core/sealing.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Hub } from "../hub/index.ts";
import { download } from "./download.ts";
import { readGgufFacts } from "./gguf-facts.ts";
import { combineChecksums } from "./model-files.ts";
import { diskFull } from "./store.errors.ts";
import { type PullRow, partsOf, type StoredFile, type StoreRepository } from "./store.repository.ts";
import type { StoreFolder } from "./store-folder.ts";
import type { StoreQuota } from "./store-quota.ts";
import { DEFAULT_TRANSFER, type TransferSettings, WrongFileError } from "./transfer.ts";

type Deps = {
  db: Database;
  storeRepository: StoreRepository;
  folder: StoreFolder;
  hub: Hub;
  sealer: Sealer;
  quota: StoreQuota;
  /** How the bytes of files are fetched; `DEFAULT_TRANSFER` if it is not said. */
  transfer?: TransferSettings;
  clock: Clock;
  log: Pick<Logger, "error">;
  /** Makes the model of a file that is complete and verified callable. */
  onStored(file: StoredFile, pull: PullRow): Promise<void>;
};

const MAX_CONCURRENT_PULLS = 2;
const LEASE_MS = 30_000;
const HEARTBEAT_MS = 1_000;
const MAX_ATTEMPTS = 10;
const MIN_RETRY_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 300_000;
const STOPPED = new Error("The server is being stopped.");
/** Somebody canceled or paused the download. */
const WITHDRAWN = new Error("The download was canceled or paused.");

type Context = Deps & {
  /** The downloads of this process by the id of their row. */
  running: Map<string, { abort: AbortController; done: Promise<void> }>;
  /** Ends when no search for queued downloads runs. */
  polling: Promise<void>;
  stopped: boolean;
};

/** Runs the queued downloads. One whose process died is taken over after its lease has expired. */
export function createPullRunner(deps: Deps) {
  const context: Context = { ...deps, running: new Map(), polling: Promise.resolve(), stopped: false };
  const poll = () => pollQueue(context);
  return {
    /** Starts queued downloads, up to `MAX_CONCURRENT_PULLS`. */
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

/** Aborts all downloads of this process and queues them again; they continue where they stopped. */
async function stopPulls(context: Context): Promise<void> {
  const { running } = context;
  context.stopped = true;
  for (const { abort } of running.values()) abort.abort(STOPPED);
  await Promise.all([...running.values()].map(({ done }) => done));
}

/** Resolves when no download runs any more. */
async function waitUntilIdle(context: Context): Promise<void> {
  const { running } = context;
  await context.polling;
  while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done));
}

function fromNow({ clock }: Context, milliseconds: number): Date {
  return new Date(clock.now().getTime() + milliseconds);
}

async function claimAll(context: Context): Promise<void> {
  const { storeRepository, running, clock } = context;
  while (!context.stopped && running.size < MAX_CONCURRENT_PULLS) {
    const row = await storeRepository.claim("gguf", clock.now(), fromNow(context, LEASE_MS));
    if (!row || running.has(row.id)) return;
    const abort = new AbortController();
    const done = runPull(context, row, abort).finally(() => {
      running.delete(row.id);
      void pollQueue(context);
    });
    running.set(row.id, { abort, done });
  }
}

async function runPull(context: Context, row: PullRow, abort: AbortController): Promise<void> {
  const { storeRepository, clock, log } = context;
  let bytes = row.bytes_done;
  const heartbeat = setInterval(() => {
    storeRepository
      .updateRunningPull(row.id, {
        bytes_done: bytes,
        lease_until: fromNow(context, LEASE_MS),
        updated_at: clock.now(),
      })
      .then(
        (isOwned) => isOwned || abort.abort(WITHDRAWN),
        () => {}, // the lease outlasts several missed heartbeats
      );
  }, HEARTBEAT_MS);
  try {
    const onProgress = (count: number) => {
      bytes = count;
    };
    const sha256 = await fetchFile(context, row, onProgress, abort.signal);
    if (!(await completePull(context, row, sha256))) await storeRepository.release(row.id, bytes);
  } catch (error) {
    const reason = abort.signal.aborted ? abort.signal.reason : error;
    await recordFailure(context, row, reason, bytes).catch((cause: unknown) =>
      log.error({ err: cause, pull: row.id }, "a download could not be noted"),
    );
  } finally {
    clearInterval(heartbeat);
  }
}

/** Downloads the file into the store, unless it is there already, and returns its checksum. */
async function fetchFile(
  { storeRepository, folder, hub, sealer, quota, transfer: settings = DEFAULT_TRANSFER, clock }: Context,
  row: PullRow,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const { repository: id, file, revision, sha256, bytes_total: size, sealed_token } = row;
  if (sha256 !== null && (await folder.has({ sha256, file }, size))) {
    await folder.touch({ sha256, file }, clock.now());
    return sha256;
  }
  await quota.makeRoom(size, row.id);
  const space = await folder.checkSpace(row, size);
  if (!space.fits) throw diskFull(space.needed, space.free);
  const onVerifying = () =>
    void storeRepository.updateRunningPull(row.id, { state: "verifying", bytes_done: size }).catch(() => {});
  const token = sealed_token === null ? undefined : sealer.open(sealed_token);
  const partPaths = await folder.preparePartial(row);
  const files = partsOf(row).map((part, index) => ({ ...part, partPath: partPaths[index] ?? "" }));
  const checksums = await download(hub, { id, revision, token, files }, { settings, onProgress, onVerifying, signal });
  const checksum = combineChecksums(checksums) ?? "";
  await folder.moveToStore(row, checksum);
  return checksum;
}

/** Stores a complete file; returns false if its download was canceled or paused meanwhile. */
async function completePull(context: Context, row: PullRow, sha256: string): Promise<boolean> {
  const { db, storeRepository, folder, clock, onStored } = context;
  const facts = await readGgufFacts(folder.pathOf({ sha256, file: row.file })).catch(async (error: unknown) => {
    await folder.remove(sha256);
    throw new WrongFileError(`${row.file} is not a GGUF file that can be read: ${errorMessage(error)}.`);
  });
  const now = clock.now();
  const file = {
    model_id: row.model_id,
    repository: row.repository,
    file: row.file,
    revision: row.revision,
    organization_id: row.organization_id,
    sha256,
    size: row.bytes_total,
    architecture: facts.architecture,
    context_length: facts.contextLength,
    bytes_per_token: facts.bytesPerToken,
    bytes_per_sequence: facts.bytesPerSequence,
    vocabulary_bytes: facts.vocabularyBytes,
    has_chat_template: facts.hasChatTemplate,
    parameter_size: facts.parameterSize,
    last_used_at: null,
    created_at: now,
  };
  const ended = { state: "done", bytes_done: row.bytes_total, error: null, sealed_token: null, lease_until: null };
  return db.transaction().execute(async (trx) => {
    if (!(await storeRepository.updateRunningPull(row.id, { ...ended, updated_at: now }, trx))) return false;
    // Before others see that the download is done, the model can be called.
    await onStored(await storeRepository.saveFile(file, trx), row);
    return true;
  });
}

async function recordFailure(context: Context, row: PullRow, error: unknown, bytes: number): Promise<void> {
  const { storeRepository, clock } = context;
  if (error !== WITHDRAWN) {
    const change = { ...toFailure(context, row, error, bytes), bytes_done: bytes, updated_at: clock.now() };
    if (await storeRepository.updateRunningPull(row.id, change)) return;
  }
  await storeRepository.release(row.id, bytes);
}

/** Returns how a download stands after a failure: queued again, to be continued now or later, or failed. */
function toFailure(context: Context, row: PullRow, error: unknown, bytes: number) {
  if (error === STOPPED) return { state: "queued", lease_until: null };
  const attempts = bytes > row.bytes_done ? 1 : row.attempts + 1;
  const message = errorMessage(error);
  if (error instanceof AppError && error.status >= 500 && attempts < MAX_ATTEMPTS)
    return {
      ...{ state: "queued", attempts, error: message },
      lease_until: fromNow(context, computeRetryDelay(error, attempts)),
    };
  if (!(error instanceof AppError || error instanceof WrongFileError))
    context.log.error({ err: error, pull: row.id }, "a download failed");
  return { state: "failed", error: message, sealed_token: null, lease_until: null };
}

/** Returns how long to wait after an attempt, in milliseconds. A hub that limits requests says itself how long. */
function computeRetryDelay(error: AppError, attempts: number): number {
  if (error.code === "hub.rate_limited") return Number(error.headers["retry-after"]) * SECOND_MS;
  return Math.min(MIN_RETRY_DELAY_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS);
}

function errorMessage(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ENOSPC") return "The disk is full.";
  return error instanceof Error ? error.message : String(error);
}
