import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { hasCode } from "../../core/errors/index.ts";
import type { Ids } from "../../core/ids.ts";
import type { Sealer } from "../../core/sealing.ts";
import type { IsKnownArchitecture } from "../../engine/index.ts";
import type { Hub } from "../hub/index.ts";
import {
  diskFull,
  type HubTokens,
  type ModelStore,
  OLLAMA_PREFIX,
  type PullInput,
  type PullRow,
  type PullRunner,
  parseModelReference,
  type SourceFiles,
  type StoreFolder,
  type StoreQuota,
  type StoreRepository,
} from "../model-store/index.ts";
import { findRuntime, type RuntimeLimits } from "./runtimes.ts";
import type { VllmModelsRepository } from "./vllm-models.repository.ts";
import { explainUnfit, planVllm, type SafetensorsSource, toSafetensorsSource } from "./vllm-plan.ts";

type Deps = {
  db: Database;
  hub: Hub;
  tokens: HubTokens;
  sealer: Sealer;
  /** The programs that run private models. */
  runtimes: RuntimeLimits;
  /** What runs the models that all share, and whether that is elsewhere, so that their files are not here. */
  shared: { runtimes: RuntimeLimits; isRemote: boolean };
  isKnownToVllm: IsKnownArchitecture;
  folder: StoreFolder;
  quota: StoreQuota;
  storeRepository: StoreRepository;
  vllmModelsRepository: VllmModelsRepository;
  runner: Pick<PullRunner, "poll">;
  /** The most tokens of context that models get. */
  contextTokens: number;
  clock: Clock;
  ids: Ids;
};
type Context = Deps & { modelStore: ModelStore };
/** For whom a model is downloaded, and the token of the hub that its owner gave for it. */
type PullOwner = Pick<PullInput, "organizationId" | "createdBy" | "token">;

/**
 * Returns the use cases of the model store for models in safetensors files too, which vLLM runs. They are downloaded if
 * vLLM is here, the repository has no GGUF file, and no quantization and no file is named.
 */
export function addVllmModels(deps: Deps, modelStore: ModelStore): ModelStore {
  const context = { ...deps, modelStore };
  return {
    ...modelStore,
    pull: (...input) => pullModel(context, ...input),
    pullPublic: (...input) => pullPublic(context, ...input),
    listSourceFiles: (reference) => listSourceFiles(context, reference),
  };
}

async function pullModel(context: Context, ...[input, onInserted]: Parameters<ModelStore["pull"]>): Promise<PullRow> {
  const { model: repository, file, quantization = null } = input;
  const plan = file === undefined && quantization === null ? await planVllm(context, repository) : null;
  return plan !== null && "facts" in plan
    ? startPull(context, { repository, facts: plan.facts }, input, onInserted)
    : context.modelStore.pull(input, onInserted);
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
    withSafetensors: (source) =>
      startPull(context, source, { organizationId: null, createdBy, token: undefined }, onInserted),
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

type Choice<Result> = { withSafetensors(source: SafetensorsSource): Promise<Result>; withGguf(): Promise<Result> };

/**
 * Takes the safetensors files of a model if vLLM can run them here, otherwise a GGUF file. If there is none, throws why vLLM
 * cannot run the model.
 */
async function preferSafetensors<Result>(
  context: Context,
  reference: string,
  { withSafetensors, withGguf }: Choice<Result>,
): Promise<Result> {
  const place = toSharedPlace(context);
  const isVllmThere = findRuntime(place.runtimes, { runtime: "vllm" }) !== null;
  // What is wrong with the repository or the hub, the search for a GGUF file says as well.
  const source = isVllmThere ? await findSafetensors(context, reference).catch(() => null) : null;
  if (source && (await explainUnfit(place, source)) === null) return withSafetensors(source);
  try {
    return await withGguf();
  } catch (error) {
    if (!hasCode(error, "store.no_gguf")) throw error;
    const found = source ?? (await findSafetensors(context, reference));
    throw (found && (await explainUnfit(place, found))) ?? error;
  }
}

/** Returns what runs the models that all share. Which architectures a vLLM elsewhere knows, it says when it starts. */
function toSharedPlace({ shared, isKnownToVllm, contextTokens }: Context) {
  const isKnown = shared.isRemote ? async () => true : isKnownToVllm;
  return { runtimes: shared.runtimes, isKnownToVllm: isKnown, contextTokens };
}

/** Returns the repository that a reference names if vLLM would run it; null for any other, and if it cannot be read. */
async function findSafetensors({ hub, tokens }: Context, reference: string): Promise<SafetensorsSource | null> {
  const { id, quantization } = parseModelReference(reference);
  if (quantization !== null) return null;
  // What the hub refuses or cannot say is the store's to report.
  const repository = await hub.model(id, { token: tokens.operatorToken }).catch(() => null);
  return repository && toSafetensorsSource(repository);
}

async function startPull(
  context: Context,
  { repository: { id, revision }, facts: { weightFile, downloadSize } }: SafetensorsSource,
  { organizationId, createdBy, token }: PullOwner,
  onInserted: Parameters<ModelStore["pull"]>[1],
): Promise<PullRow> {
  const { db, storeRepository, vllmModelsRepository, folder, quota, sealer, runner, shared, clock, ids } = context;
  const stored = await vllmModelsRepository.find(id, organizationId);
  const isKeptHere = !shared.isRemote || organizationId !== null;
  if (isKeptHere && stored?.revision !== revision) {
    const space = await folder.checkFree(downloadSize);
    if (!space.fits) throw diskFull(space.needed, space.free);
    await quota.check(downloadSize);
  }
  const now = clock.now();
  const row = await db.transaction().execute(async (trx) => {
    const pull = {
      ...{ id: ids.next("pull"), model_id: id, repository: id, revision, file: weightFile, sha256: null },
      ...{ bytes_done: 0, bytes_total: downloadSize, sealed_token: token === undefined ? null : sealer.seal(token) },
      ...{ organization_id: organizationId, created_by: createdBy, created_at: now, updated_at: now },
    };
    const started = await storeRepository.start(pull, now, trx);
    await onInserted(started.row, trx, started.outcome);
    return started.row;
  });
  void runner.poll();
  return row;
}
