import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import type { Hub } from "../hub/index.ts";
import {
  downloadRepository,
  type HubTokens,
  PullFailedError,
  type PullProgress,
  type PullRow,
  type PullWork,
  readSafetensorsFacts,
  type SafetensorsFacts,
  type StoreRepository,
} from "../model-store/index.ts";
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
  /** Makes a model whose files are complete callable. */
  onStored(model: VllmModelRow): Promise<void>;
};

/** Downloads the files of models for vLLM, each model into a folder of its own. */
export function createVllmDownloads(deps: Deps) {
  const work: PullWork = (row, progress, signal) => downloadModel(deps, row, progress, signal);
  return { work, ...bind(deps, { folderOf, remove: removeFiles }) };
}

export type VllmDownloads = ReturnType<typeof createVllmDownloads>;

/** Returns the folder of a model's files at a commit. */
function folderOf({ root }: Pick<Deps, "root">, { repository, revision }: { repository: string; revision: string }) {
  return join(root, toFolderName(repository), toFolderName(revision));
}

/** Deletes the files of a model. */
async function removeFiles({ root }: Deps, repository: string): Promise<void> {
  await rm(join(root, toFolderName(repository)), { recursive: true, force: true });
}

/** Returns a name that stays in its folder, whatever the hub calls a repository or a commit. */
function toFolderName(text: string): string {
  return text
    .replaceAll("/", "--")
    .replaceAll(/[^\w.-]/g, "_")
    .replace(/^\.+/, "_");
}

async function downloadModel(deps: Deps, row: PullRow, progress: PullProgress, signal: AbortSignal): Promise<boolean> {
  const { hub, tokens } = deps;
  const token = await tokens.forRepository({ id: row.repository, gated: true });
  const model = await hub.model(row.repository, { token, revision: row.revision, signal });
  const facts = readSafetensorsFacts(model);
  if (facts === null) throw new PullFailedError(`${row.repository} has no safetensors files any more.`);
  const { repository: id, revision } = row;
  const folder = folderOf(deps, row);
  // Only the server's user may read the files: vLLM runs as the same.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const onProgress = (bytes: number) => {
    progress.bytes = Math.min(bytes, row.bytes_total);
  };
  await downloadRepository(hub, { id, revision, token, files: facts.files, folder }, onProgress, signal);
  return complete(deps, row, facts);
}

/** Stores a complete model; returns false if its download was canceled or paused meanwhile. */
async function complete(deps: Deps, row: PullRow, facts: SafetensorsFacts): Promise<boolean> {
  const { db, storeRepository, vllmModelsRepository, clock, onStored } = deps;
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
    reasoning_parser: facts.reasoningParser,
    last_used_at: null,
    pinned: (await vllmModelsRepository.find(row.model_id))?.pinned ?? false,
    created_at: now,
  };
  const ended = { state: "done", bytes_done: row.bytes_total, error: null, lease_until: null, updated_at: now };
  return db.transaction().execute(async (trx) => {
    if (!(await storeRepository.updateRunningPull(row.id, ended, trx))) return false;
    await vllmModelsRepository.save(model, trx);
    // Before others see that the download is done, the model can be called.
    await onStored(model);
    return true;
  });
}
