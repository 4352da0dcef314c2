import { readdir } from "node:fs/promises";
import { sql } from "kysely";
import type { BackendRegistry } from "../../../gateway/index.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { chooseRuntime, type KnowsArchitecture, type RuntimeLimits, runtimeOf } from "../../runtimes/index.ts";
import { contextLengthOf, isReadFile, type PullRow, type StoredModelRow, type StoreFiles } from "../../store/index.ts";
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
  /** Returns whether a program knows the architecture of a GGUF file. */
  knowsArchitecture: KnowsArchitecture;
  /** Whether public models run on a remote host, so that this machine does not store the files with their weights. */
  isSharedRemote: boolean;
  /** The largest context that a model gets, in tokens. */
  contextTokens: number;
};

/** The catalogue's tag for base models, which continue texts and do not chat. */
const BASE_TAG = "base";
/**
 * The most tokens of a query with a text that a reranker orders. It reads them at once, and with many models the memory for
 * that grows with their square.
 */
const MAX_RANKED_TOKENS = 4_096;

/** Creates the registration of stored models with the host that runs them. */
export function createModelRegistration(deps: Deps) {
  const { host, keys } = deps;
  return {
    ...bind(deps, { registerAll, register: registerModel, onStored: loadStoredModel, recordUse }),
    isLoaded: (model: StoredModelRow) => host.isLoaded(keys.of(model)),
    unregister: (model: StoredModelRow) => host.unregister(keys.of(model)),
  };
}

/** Registers the models whose files are stored. */
async function registerAll(deps: Deps): Promise<void> {
  for (const model of await deps.files.storeRepository.listModels()) await registerModel(deps, model);
}

/**
 * Registers a model whose download has just ended. Loads it at once if it is private or a call waits for it. A private model
 * has only the files of its last download.
 */
async function loadStoredModel(deps: Deps, model: StoredModelRow, pull: PullRow, trx: Database): Promise<void> {
  const isPrivate = model.organization_id !== null;
  // Only the row is deleted here. The job `delete orphaned model files` deletes the files later.
  if (isPrivate) await deps.files.storeRepository.deleteOtherFiles(model, trx);
  const key = await registerModel(deps, model);
  const isAwaited = pull.automatic_for !== null;
  if (key !== null && (isAwaited || isPrivate)) await deps.host.wake(key);
}

/**
 * Registers a model. Returns its key, or null if its file is missing on this machine and no remote host runs the model.
 */
async function registerModel(deps: Deps, model: StoredModelRow): Promise<string | null> {
  const { db, host, files, keys, contextTokens } = deps;
  const location = await locate(deps, model);
  if (location === null) return null;
  const isSafetensors = model.files === "safetensors";
  const path = files.pathOf(model);
  const stored = await findProgram(deps, model);
  const { runtime } = stored;
  const key = await keys.resolve(model, isSafetensors ? model.context_length : null);
  const before = host.find(key);
  const isSame = before?.file === path && before.projector === stored.projector && before.runtime === runtime;
  if (!isSame) await host.unregister(key);
  if (model.has_chat_template === false && !model.is_reranker) await tagAsBaseModel(db, key);
  if (stored.projector !== undefined) await addImages(db, key);
  host.register({
    id: key,
    ...stored,
    file: path,
    isElsewhere: location.isElsewhere,
    isConverted: model.is_converted,
    fileName: model.file,
    size: model.size,
    contextLength: contextLengthOf(
      model.context_length,
      Math.min(contextTokens, ...(stored.isReranker ? [MAX_RANKED_TOKENS] : [])),
    ),
    bytesPerToken: model.bytes_per_token,
    bytesPerSequence: model.bytes_per_sequence ?? 0,
    vocabularyBytes: model.vocabulary_bytes ?? 0,
    repository: model.repository,
    revision: model.revision,
    pinned: model.pinned,
    ...(isSafetensors && { folderFiles: await listReadFiles(path) }),
    ...(await runtimeOf({ runtime }).readParsers(model.repository, path)),
  });
  return key;
}

/** Returns the program that runs a model, and what the program needs to know of it besides its file. */
async function findProgram({ files, knowsArchitecture, ownRuntimes, sharedRuntimes }: Deps, model: StoredModelRow) {
  const projector = await files.findProjector(model);
  const needs = {
    files: model.files,
    architecture: model.architecture,
    hasProjector: projector !== null,
    isReranker: model.is_reranker,
  };
  const runtimes = model.organization_id === null ? sharedRuntimes : ownRuntimes;
  const runtime = await chooseRuntime(runtimes, needs, knowsArchitecture);
  const { readsImages, ranks } = runtimeOf({ runtime }).abilities;
  const isSeeing = projector !== null && readsImages === "with_projector";
  return {
    runtime,
    ...(isSeeing && { projector, projectorBytes: model.projector_bytes }),
    ...(model.is_reranker && ranks && { isReranker: true }),
  };
}

/** Returns whether a remote host downloads the files of a model; null if the files are needed here and missing. */
async function locate(
  { files: { folder }, isSharedRemote }: Deps,
  model: StoredModelRow,
): Promise<{ isElsewhere: boolean } | null> {
  const mayBeElsewhere = isSharedRemote && model.organization_id === null;
  if (model.files === "safetensors") return { isElsewhere: mayBeElsewhere };
  const isHere = await folder.has(model, model.size);
  return isHere || mayBeElsewhere ? { isElsewhere: !isHere } : null;
}

/** Returns the names of the files in a folder from which a model is read. */
async function listReadFiles(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter(isReadFile).sort();
}

/** Stores when public models were last called, so that the times survive a restart. */
async function recordUse({ files: { storeRepository }, registry, keys }: Deps): Promise<void> {
  for (const model of await storeRepository.listModels()) {
    const usedAt = registry.lastAnswerAt(keys.of(model));
    if (model.organization_id === null && usedAt > (model.last_used_at?.getTime() ?? 0))
      await storeRepository.recordUse(model, new Date(usedAt));
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

/** Adds images to what a model reads, unless an administrator has described the model. */
async function addImages(db: Database, key: string): Promise<void> {
  await db
    .updateTable("models")
    .set({ input_modalities: sql<string[]>`array_append(input_modalities, 'image')` })
    .where("id", "=", key)
    .where("source", "<>", "operator")
    .where(sql<boolean>`not 'image' = any(input_modalities)`)
    .execute();
}
