import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { type AppError, errors, hasCode } from "../../core/errors/index.ts";
import type { Ids } from "../../core/ids.ts";
import type { Hub, HubModel } from "../hub/index.ts";
import {
  diskFull,
  type HubTokens,
  listLoadableFiles,
  type ModelStore,
  OLLAMA_PREFIX,
  type PullRow,
  type PullRunner,
  parseModelReference,
  readSafetensorsFacts,
  type SafetensorsFacts,
  type SourceFiles,
  type StoredModel,
  type StoredModels,
  type StoreFolder,
  type StoreRepository,
  toGigabytes,
} from "../model-store/index.ts";
import { smallestEngineBytes } from "./engine-size.ts";
import type { ModelHost } from "./model-host.ts";
import { explainMissingRuntime, findRuntime, type Runtimes } from "./runtimes.ts";
import type { VllmDownloads } from "./vllm-downloads.ts";
import type { VllmModelRow, VllmModelsRepository } from "./vllm-models.repository.ts";

type Deps = {
  db: Database;
  hub: Hub;
  tokens: HubTokens;
  runtimes: Runtimes;
  host: ModelHost;
  folder: StoreFolder;
  storeRepository: StoreRepository;
  vllmModelsRepository: VllmModelsRepository;
  downloads: VllmDownloads;
  runner: Pick<PullRunner, "poll">;
  /** Returns the key of a model by the id that it was stored for. */
  keyOf(modelId: string): string;
  /** Makes a model callable, and loads it if it is pinned. */
  register(model: VllmModelRow): Promise<void>;
  /** The most tokens of context that models get. */
  contextTokens: number;
  clock: Clock;
  ids: Ids;
};
type Store = { modelStore: ModelStore; storedModels: StoredModels };
type Context = Deps & Store;
/** A repository with safetensors files and no GGUF file. */
type Source = { repository: HubModel; facts: SafetensorsFacts };

const RUNTIME = { runtime: "vllm" } as const;
/** Context of a model that does not state one, in tokens. */
const DEFAULT_CONTEXT_TOKENS = 4_096;

/**
 * Returns the use cases of the model store for models in safetensors files too, which vLLM runs. They are downloaded if
 * vLLM is here, the repository has no GGUF file, and no quantization and no file is named.
 */
export function addVllmModels(deps: Deps, { modelStore, storedModels }: Store): Store {
  const context = { ...deps, modelStore, storedModels };
  return {
    modelStore: {
      ...modelStore,
      pullPublic: (...input) => pullPublic(context, ...input),
      listSourceFiles: (reference) => listSourceFiles(context, reference),
    },
    storedModels: {
      ...storedModels,
      list: () => listStoredModels(context),
      pin: (id, pinned, onChanged) => pinStoredModel(context, id, pinned, onChanged),
      delete: (id, onDeleted) => deleteStoredModel(context, id, onDeleted),
    },
  };
}

/** Returns the context that a model gets, in tokens. */
export function contextLengthOf(contextLength: number | null, contextTokens: number): number {
  return Math.min(contextLength ?? DEFAULT_CONTEXT_TOKENS, contextTokens);
}

async function pullPublic(
  context: Context,
  ...[reference, file, createdBy, onInserted]: Parameters<ModelStore["pullPublic"]>
): Promise<PullRow> {
  const pullGguf = () => context.modelStore.pullPublic(reference, file, createdBy, onInserted);
  // A file with weights stands for all of them: it is what `listSourceFiles` names.
  const mayBeSafetensors = file === undefined || file.endsWith(".safetensors");
  if (!mayBeSafetensors || reference.startsWith(OLLAMA_PREFIX)) return pullGguf();
  return preferSafetensors(context, reference, {
    withSafetensors: (source) => startPull(context, source, createdBy, onInserted),
    withGguf: pullGguf,
  });
}

function listSourceFiles(context: Context, reference: string): Promise<SourceFiles> {
  return preferSafetensors(context, reference, {
    withSafetensors: async ({ repository: { id }, facts: { weightFile, downloadSize } }) => ({
      ...{ modelId: id, repository: id, chosen: weightFile, reason: null, cachedAt: null },
      // All files are downloaded, so the first one stands for them.
      files: [{ path: weightFile, size: downloadSize, sha256: null }],
      maxBytes: downloadSize,
    }),
    withGguf: () => context.modelStore.listSourceFiles(reference),
  });
}

type Choice<Result> = { withSafetensors(source: Source): Promise<Result>; withGguf(): Promise<Result> };

/**
 * Takes the safetensors files of a model if vLLM can run them here, otherwise a GGUF file. If there is none, throws why vLLM
 * cannot run the model.
 */
async function preferSafetensors<Result>(
  context: Context,
  reference: string,
  { withSafetensors, withGguf }: Choice<Result>,
): Promise<Result> {
  const isVllmHere = findRuntime(context.runtimes, RUNTIME) !== null;
  // What is wrong with the repository or the hub, the search for a GGUF file says as well.
  const source = isVllmHere ? await findSafetensors(context, reference).catch(() => null) : null;
  if (source && explainUnfit(context, source) === null) return withSafetensors(source);
  try {
    return await withGguf();
  } catch (error) {
    if (!hasCode(error, "store.no_gguf")) throw error;
    const found = source ?? (await findSafetensors(context, reference));
    throw (found && explainUnfit(context, found)) ?? error;
  }
}

/** Returns the repository that a reference names if vLLM would run it; null for any other, and if it cannot be read. */
async function findSafetensors({ hub, tokens }: Context, reference: string): Promise<Source | null> {
  const { id, quantization } = parseModelReference(reference);
  if (quantization !== null) return null;
  // What the hub refuses or cannot say is the store's to report.
  const repository = await hub.model(id, { token: tokens.operatorToken }).catch(() => null);
  if (repository === null || listLoadableFiles(repository.files).length > 0) return null;
  const facts = readSafetensorsFacts(repository);
  return facts && { repository, facts };
}

/** Returns why vLLM cannot run a model here; null if it can. */
function explainUnfit({ runtimes, contextTokens }: Context, { repository, facts }: Source): AppError | null {
  const runtime = findRuntime(runtimes, RUNTIME);
  if (runtime === null) {
    const reason = explainMissingRuntime(runtimes, RUNTIME) ?? "";
    return errors.store.needsVllm({ repository: repository.id, reason }, { param: "model_id" });
  }
  const contextLength = contextLengthOf(facts.contextLength, contextTokens);
  const needed = smallestEngineBytes({ ...RUNTIME, ...facts, contextLength });
  const { budget } = runtime.memory;
  if (needed <= budget) return null;
  const sizes = { repository: repository.id, needed: toGigabytes(needed), available: toGigabytes(budget) };
  return errors.store.tooLargeForGpu(sizes, { param: "model_id" });
}

async function startPull(
  { db, folder, storeRepository, runner, clock, ids }: Context,
  { repository: { id, revision }, facts }: Source,
  createdBy: string,
  onInserted: Parameters<ModelStore["pullPublic"]>[3],
): Promise<PullRow> {
  const file = facts.weightFile;
  const space = await folder.checkSpace({ repository: id, revision, file, sha256: null }, facts.downloadSize);
  if (!space.fits) throw diskFull(space.needed, space.free);
  const now = clock.now();
  const row = await db.transaction().execute(async (trx) => {
    const pull = {
      ...{ id: ids.next("pull"), model_id: id, repository: id, revision, file, sha256: null },
      ...{ bytes_done: 0, bytes_total: facts.downloadSize },
      ...{ organization_id: null, created_by: createdBy, created_at: now, updated_at: now },
    };
    const started = await storeRepository.start(pull, now, trx);
    await onInserted(started.row, trx, started.outcome);
    return started.row;
  });
  void runner.poll();
  return row;
}

async function listStoredModels(context: Context): Promise<StoredModel[]> {
  const { storedModels, vllmModelsRepository } = context;
  const models = (await vllmModelsRepository.list()).map((model) => toStoredModel(context, model));
  return [...(await storedModels.list()), ...models].sort((a, b) => b.size - a.size);
}

async function pinStoredModel(
  context: Context,
  ...[id, pinned, onChanged]: Parameters<StoredModels["pin"]>
): Promise<StoredModel> {
  const { db, vllmModelsRepository, storedModels, register } = context;
  const before = await vllmModelsRepository.find(id);
  if (!before) return storedModels.pin(id, pinned, onChanged);
  const model = { ...before, pinned };
  await db.transaction().execute(async (trx) => {
    await vllmModelsRepository.save(model, trx);
    if (before.pinned !== pinned) await onChanged(toStoredFile(model), trx);
  });
  await register(model);
  return toStoredModel(context, model);
}

function toStoredModel({ host, keyOf }: Context, model: VllmModelRow): StoredModel {
  return { ...toStoredFile(model), isLoaded: host.isLoaded(keyOf(model.model_id)) };
}

async function deleteStoredModel(
  { db, vllmModelsRepository, host, downloads, storedModels, keyOf }: Context,
  ...[id, onDeleted]: Parameters<StoredModels["delete"]>
): Promise<void> {
  const model = await vllmModelsRepository.find(id);
  if (!model) return storedModels.delete(id, onDeleted);
  await db.transaction().execute(async (trx) => {
    await vllmModelsRepository.delete(model.model_id, trx);
    await onDeleted(toStoredFile(model), trx);
  });
  await host.unregister(keyOf(model.model_id));
  await downloads.remove(model.repository);
}

/** Returns a model in the form of those with a single file. */
function toStoredFile(model: VllmModelRow) {
  const unknown = { architecture: null, has_chat_template: null, bytes_per_sequence: null, vocabulary_bytes: null };
  return { ...model, ...unknown, organization_id: null, sha256: "" };
}
