import { sql } from "kysely";
import type { BackendRegistry } from "../../../gateway/index.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { type RuntimeLimits, runtimeForFiles } from "../../runtimes/index.ts";
import type { PullRow, StoredFile, StoreFiles } from "../../store/index.ts";
import type { ModelHost } from "../host.ts";
import type { RegisteredKeys } from "./registered-keys.ts";

type Deps = {
  db: Database;
  host: ModelHost;
  files: StoreFiles;
  keys: RegisteredKeys;
  registry: Pick<BackendRegistry, "lastAnswerAt">;
  /** The programs that run private models, and those that run public ones. */
  ownRuntimes: RuntimeLimits;
  sharedRuntimes: RuntimeLimits;
  /** Whether public models run on a remote host, so that this machine does not store their files. */
  isSharedRemote: boolean;
  /** The largest context that a model gets, in tokens. */
  contextTokens: number;
};

/** The catalogue's tag for base models, which continue texts and do not chat. */
const BASE_TAG = "base";
/** Context length of a model whose file does not state one, in tokens. */
const DEFAULT_CONTEXT_LENGTH = 4_096;

/** Creates the registration of GGUF files of the store with the host that runs their models. */
export function createGgufModels(deps: Deps) {
  const { host, keys } = deps;
  return {
    ...bind(deps, { registerAll, register: registerFile, onStored: loadStoredFile, recordUse }),
    isLoaded: (file: StoredFile) => host.isLoaded(keys.of(file)),
    unregister: (file: StoredFile) => host.unregister(keys.of(file)),
  };
}

/** Registers the models whose files are stored. */
async function registerAll(deps: Deps): Promise<void> {
  for (const file of await deps.files.storeRepository.listFiles()) await registerFile(deps, file);
}

/**
 * Registers a new file. Loads its model at once if the model is private or a call waits for it. The file of a private model
 * replaces the safetensors files that vLLM ran.
 */
async function loadStoredFile(deps: Deps, file: StoredFile, pull: PullRow, trx: Database): Promise<void> {
  const { model_id, organization_id } = file;
  // Only the row is deleted here. The job `delete orphaned model files` deletes the files later.
  if (organization_id !== null) await deps.files.safetensorsRepository.delete(model_id, organization_id, trx);
  const key = await registerFile(deps, file);
  const isAwaited = pull.automatic_for !== null;
  if (key !== null && (isAwaited || organization_id !== null)) await deps.host.wake(key);
}

/**
 * Registers the model of a file. Returns its key, or null if the file is missing on this machine and no remote host runs
 * the model.
 */
async function registerFile(deps: Deps, file: StoredFile): Promise<string | null> {
  const { db, host, files, keys, contextTokens, isSharedRemote, ownRuntimes, sharedRuntimes } = deps;
  const { folder } = files;
  const isHere = await folder.has(file, file.size);
  if (!isHere && !(isSharedRemote && file.organization_id === null)) return null;
  const id = await keys.resolve(file, null);
  const path = folder.pathOf(file);
  if (host.find(id)?.file !== path) await host.unregister(id);
  if (file.has_chat_template === false) await tagAsBaseModel(db, id);
  host.register({
    id,
    runtime: runtimeForFiles(file.organization_id === null ? sharedRuntimes : ownRuntimes, "gguf"),
    file: path,
    isElsewhere: !isHere,
    isConverted: file.is_converted,
    fileName: file.file,
    size: file.size,
    contextLength: Math.min(file.context_length ?? DEFAULT_CONTEXT_LENGTH, contextTokens),
    bytesPerToken: file.bytes_per_token,
    bytesPerSequence: file.bytes_per_sequence ?? 0,
    vocabularyBytes: file.vocabulary_bytes ?? 0,
    repository: file.repository,
    revision: file.revision,
    pinned: file.pinned,
  });
  return id;
}

/** Stores when public models were last called, so that the times survive a restart. */
async function recordUse({ files: { storeRepository }, registry, keys }: Deps): Promise<void> {
  for (const file of await storeRepository.listFiles()) {
    const { model_id, organization_id, last_used_at } = file;
    const usedAt = registry.lastAnswerAt(keys.of(file));
    if (organization_id === null && usedAt > (last_used_at?.getTime() ?? 0))
      await storeRepository.recordUse(model_id, new Date(usedAt));
  }
}

/** Tags a model without a curated description as a base model. */
async function tagAsBaseModel(db: Database, key: string): Promise<void> {
  await db
    .updateTable("models")
    .set({ tags: sql<string[]>`array_append(tags, ${BASE_TAG})` })
    .where("id", "=", key)
    .where("source", "in", ["backend", "private"])
    .where(sql<boolean>`not tags && ${[BASE_TAG, "chat"]}::text[]`)
    .execute();
}
