import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { AppError } from "../../core/errors/index.ts";
import type { Hub, HubFile } from "../hub/index.ts";
import { download, fileSize, type HubTokens, type PullRow, type StoreRepository } from "../model-store/index.ts";
import { readSafetensorsFacts, type SafetensorsFacts } from "./safetensors-facts.ts";
import type { VllmModelRow, VllmModelsRepository } from "./vllm-models.repository.ts";

type Deps = {
  db: Database;
  hub: Hub;
  tokens: HubTokens;
  storeRepository: StoreRepository;
  vllmModelsRepository: VllmModelsRepository;
  /** The folder below which the files of each model get one. */
  root: string;
  clock: Clock;
  log: Pick<Logger, "error">;
  /** Called for each model whose files are complete. */
  onStored(model: VllmModelRow): Promise<void>;
  /** Milliseconds before the second attempt; each further one waits twice as long. */
  retryDelayMs?: number;
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
const CANCELED = new Error("The download was canceled.");

/** Downloads the files of models for vLLM, each model into a folder of its own. */
export function createVllmDownloads(deps: Deps) {
  const context: Context = { ...deps, running: new Map(), stopped: false };
  return bind(context, {
    poll: claimDownloads,
    abort: abortDownload,
    stop: stopDownloads,
    folderOf,
    remove: removeFiles,
  });
}

export type VllmDownloads = ReturnType<typeof createVllmDownloads>;

/** Returns the folder of a model's files at a commit. */
function folderOf({ root }: Pick<Context, "root">, { repository, revision }: { repository: string; revision: string }) {
  return join(root, toFolderName(repository), toFolderName(revision));
}

/** Deletes the files of a model. */
async function removeFiles({ root }: Context, repository: string): Promise<void> {
  await rm(join(root, toFolderName(repository)), { recursive: true, force: true });
}

/** Returns a name that stays in its folder, whatever the hub calls a repository or a commit. */
function toFolderName(text: string): string {
  return text
    .replaceAll("/", "--")
    .replaceAll(/[^\w.-]/g, "_")
    .replace(/^\.+/, "_");
}

function nextLease({ clock }: Context): Date {
  return new Date(clock.now().getTime() + LEASE_MS);
}

/** Starts the downloads that no process runs. */
async function claimDownloads(context: Context): Promise<void> {
  const { vllmModelsRepository, running, clock } = context;
  while (!context.stopped) {
    const row = await vllmModelsRepository.claimPull(clock.now(), nextLease(context));
    if (!row || running.has(row.id)) return;
    startDownload(context, row);
  }
}

function startDownload(context: Context, row: PullRow): void {
  const { running, log } = context;
  const abort = new AbortController();
  const done = runDownload(context, row, abort)
    .catch((error: unknown) => log.error({ err: error, pull: row.id }, "a download could not be noted"))
    .finally(() => running.delete(row.id));
  running.set(row.id, { abort, done });
}

function abortDownload({ running }: Context, id: string): void {
  running.get(id)?.abort.abort(CANCELED);
}

/** Aborts all downloads; they continue at the next start. */
async function stopDownloads(context: Context): Promise<void> {
  const { running } = context;
  context.stopped = true;
  for (const { abort } of running.values()) abort.abort(STOPPED);
  await Promise.all([...running.values()].map(({ done }) => done));
}

async function runDownload(context: Context, row: PullRow, abort: AbortController): Promise<void> {
  const { storeRepository, clock } = context;
  const progress = { bytes: 0 };
  const save = (change: Parameters<StoreRepository["updateActivePull"]>[1]) =>
    storeRepository.updateActivePull(row.id, { ...change, bytes_done: progress.bytes, updated_at: clock.now() });
  const heartbeat = setInterval(() => {
    save({ lease_until: nextLease(context) }).then(
      (isOwned) => isOwned || abort.abort(CANCELED),
      () => {}, // the lease outlasts several missed heartbeats
    );
  }, HEARTBEAT_MS);
  try {
    const onError = (error: string) => save({ error });
    await withRetries(context, onError, abort.signal, () => downloadModel(context, row, progress, abort.signal));
  } catch (error) {
    const reason: unknown = abort.signal.aborted ? abort.signal.reason : error;
    if (reason === CANCELED) return;
    if (reason === STOPPED) await save({ state: "queued", lease_until: null });
    else await save({ state: "failed", error: errorMessage(reason), lease_until: null });
  } finally {
    clearInterval(heartbeat);
  }
}

/** Runs the work again while the hub is not reachable. */
async function withRetries(
  { retryDelayMs = MIN_RETRY_DELAY_MS }: Context,
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
      await sleep(retryDelayMs * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}

async function downloadModel(
  context: Context,
  row: PullRow,
  progress: { bytes: number },
  signal: AbortSignal,
): Promise<void> {
  const { hub, tokens } = context;
  const token = await tokens.forRepository({ id: row.repository, gated: true });
  const model = await hub.model(row.repository, { token, revision: row.revision, signal });
  const facts = readSafetensorsFacts(model);
  if (facts === null) throw new Error(`${row.repository} has no safetensors files any more.`);
  let doneBytes = 0;
  for (const file of facts.files) {
    const onProgress = (bytes: number) => {
      progress.bytes = Math.min(doneBytes + bytes, row.bytes_total);
    };
    await downloadFile(context, row, file, { token, onProgress, signal });
    doneBytes += file.size;
  }
  await complete(context, row, facts);
}

type FileOptions = { token: string | undefined; onProgress: (bytes: number) => void; signal: AbortSignal };

async function downloadFile(
  { root, hub }: Context,
  row: PullRow,
  { path, size, sha256 }: HubFile,
  { token, onProgress, signal }: FileOptions,
): Promise<void> {
  const target = join(folderOf({ root }, row), path);
  const partPath = `${target}.part`;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const source = { id: row.repository, path, revision: row.revision, token, size, sha256 };
  if (await isComplete(target, size)) return onProgress(size);
  await download(hub, source, { partPath, onProgress, onVerifying() {}, signal });
  await rename(partPath, target);
}

async function isComplete(path: string, size: number): Promise<boolean> {
  return (await fileSize(path)) === size && size > 0;
}

async function complete(context: Context, row: PullRow, facts: SafetensorsFacts): Promise<void> {
  const { db, storeRepository, vllmModelsRepository, clock, onStored } = context;
  const now = clock.now();
  const model: VllmModelRow = {
    model_id: row.model_id,
    repository: row.repository,
    revision: row.revision,
    file: facts.weightFile,
    size: facts.size,
    parameter_size: facts.parameterSize,
    context_length: facts.contextLength,
    bytes_per_token: facts.bytesPerToken,
    tool_parser: facts.toolParser,
    last_used_at: null,
    created_at: now,
  };
  const ended = { state: "done", bytes_done: row.bytes_total, error: null, lease_until: null, updated_at: now };
  const wasSaved = await db.transaction().execute(async (trx) => {
    if (!(await storeRepository.updateActivePull(row.id, ended, trx))) return false;
    await vllmModelsRepository.save(model, trx);
    return true;
  });
  if (wasSaved) await onStored(model);
}

function errorMessage(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ENOSPC") return "The disk is full.";
  return error instanceof Error ? error.message : String(error);
}
