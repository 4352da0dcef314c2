import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { hasCode } from "../../../platform/core/errors/index.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { Sealer } from "../../../platform/core/secrets/sealing.ts";
import type { Hub } from "../../hub/index.ts";
import type { IsKnownArchitecture } from "../../runtimes/index.ts";
import { findRuntime, type RuntimeLimits, runtimeForFiles } from "../../runtimes/index.ts";
import { parseModelReference } from "../files/quantizations.ts";
import type { StoreFolder } from "../files/store-folder.ts";
import type { PullRunner } from "../pulls/pull-runner.ts";
import { startPull } from "../pulls/start-pull.ts";
import type { StoreQuota } from "../quota/store-quota.ts";
import { OLLAMA_PREFIX, type PullRow } from "../rows/pull-rows.ts";
import type { HubTokens } from "../sources/hub-tokens.ts";
import { diskFull } from "../store.errors.ts";
import type { StoreRepository } from "../store.repository.ts";
import type { ModelStore, PullInput, SourceFiles } from "../store.usecases.ts";
import { isStored } from "./safetensors-downloads.ts";
import { explainUnfit, planSafetensors, type SafetensorsSource, toSafetensorsSource } from "./safetensors-plan.ts";

type Deps = {
  db: Database;
  hub: Hub;
  tokens: HubTokens;
  sealer: Sealer;
  /** The memory of the programs that run private models. */
  runtimes: RuntimeLimits;
  /**
   * The memory of the programs that run public models. `isRemote` says that a remote host runs them, so that their files
   * are not stored here.
   */
  shared: { runtimes: RuntimeLimits; isRemote: boolean };
  isKnownArchitecture: IsKnownArchitecture;
  folder: StoreFolder;
  quota: StoreQuota;
  storeRepository: StoreRepository;
  runner: Pick<PullRunner, "poll">;
  /** The largest context that a model gets, in tokens. */
  contextTokens: number;
  clock: Clock;
  ids: Ids;
};
type Context = Deps & { modelStore: ModelStore };
/** The organization that a model is downloaded for, the user who started it, and their token for the hub. */
type PullOwner = Pick<PullInput, "organizationId" | "createdBy" | "token">;

/**
 * Returns the use cases of the model store, extended by models in safetensors files, which vLLM runs. Those files are
 * downloaded if vLLM is available and can run the model, the repository has no GGUF file, and the request names neither a
 * quantization nor another file.
 */
export function addSafetensorsModels(deps: Deps, modelStore: ModelStore): ModelStore {
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
  const plan = file === undefined && quantization === null ? await planSafetensors(context, repository) : null;
  return plan !== null && "facts" in plan
    ? pullSafetensors(context, { repository, facts: plan.facts }, input, onInserted)
    : context.modelStore.pull(input, onInserted);
}

async function pullPublic(
  context: Context,
  ...[reference, file, createdBy, onInserted]: Parameters<ModelStore["pullPublic"]>
): Promise<PullRow> {
  const pullGguf = () => context.modelStore.pullPublic(reference, file, createdBy, onInserted);
  // `listSourceFiles` names the first safetensors file, so a request for one means all of them.
  const mayBeSafetensors = file === undefined || file.endsWith(".safetensors");
  if (!mayBeSafetensors || reference.startsWith(OLLAMA_PREFIX)) return pullGguf();
  return preferSafetensors(context, reference, {
    withSafetensors: (source) =>
      pullSafetensors(context, source, { organizationId: null, createdBy, token: undefined }, onInserted),
    withGguf: pullGguf,
  });
}

function listSourceFiles(context: Context, reference: string): Promise<SourceFiles> {
  return preferSafetensors(context, reference, {
    withSafetensors: async ({ repository: { id }, facts: { weightFile, downloadSize } }) => ({
      modelId: id,
      repository: id,
      chosen: weightFile,
      reason: null,
      cachedAt: null,
      // All files are downloaded together. The first one represents them.
      files: [{ path: weightFile, size: downloadSize, sha256: null }],
      maxBytes: downloadSize,
    }),
    withGguf: () => context.modelStore.listSourceFiles(reference),
  });
}

type Choice<Result> = { withSafetensors(source: SafetensorsSource): Promise<Result>; withGguf(): Promise<Result> };

/**
 * Calls `withSafetensors` if vLLM can run the model's safetensors files here, otherwise `withGguf`. If there is no GGUF
 * file either, throws why vLLM cannot run the model.
 */
async function preferSafetensors<Result>(
  context: Context,
  reference: string,
  { withSafetensors, withGguf }: Choice<Result>,
): Promise<Result> {
  const place = toSharedPlace(context);
  const isVllmThere = findRuntime(place.runtimes, { runtime: runtimeForFiles(place.runtimes, "safetensors") }) !== null;
  // Errors of the hub are ignored here: `withGguf` meets the same ones and reports them.
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

/**
 * Returns the limits of public models. A remote vLLM reports an unknown architecture only when it starts, so every
 * architecture passes here.
 */
function toSharedPlace({ shared, isKnownArchitecture, contextTokens }: Context) {
  const isKnown = shared.isRemote ? async () => true : isKnownArchitecture;
  return { runtimes: shared.runtimes, isKnownArchitecture: isKnown, contextTokens };
}

/**
 * Returns the repository that a reference names, with its safetensors files. Null if it has none, has a GGUF file, cannot
 * be read, or if the reference names a quantization.
 */
async function findSafetensors({ hub, tokens }: Context, reference: string): Promise<SafetensorsSource | null> {
  const { id, quantization } = parseModelReference(reference);
  if (quantization !== null) return null;
  // Errors of the hub are ignored here: the search for a GGUF file reports them.
  const repository = await hub.model(id, { token: tokens.operatorToken }).catch(() => null);
  return repository && toSafetensorsSource(repository);
}

async function pullSafetensors(
  context: Context,
  { repository: { id, revision }, facts: { weightFile, downloadSize } }: SafetensorsSource,
  { organizationId, createdBy, token }: PullOwner,
  onInserted: Parameters<ModelStore["pull"]>[1],
): Promise<PullRow> {
  const { storeRepository, folder, quota, sealer, shared } = context;
  const isKeptHere = !shared.isRemote || organizationId !== null;
  const model = { model_id: id, organization_id: organizationId, revision };
  if (isKeptHere && !(await isStored(storeRepository, model))) {
    const space = await folder.checkFree(downloadSize);
    if (!space.fits) throw diskFull(space.needed, space.free);
    await quota.check(downloadSize);
  }
  const pull = {
    model_id: id,
    repository: id,
    revision,
    file: weightFile,
    sha256: null,
    bytes_done: 0,
    bytes_total: downloadSize,
    sealed_token: token === undefined ? null : sealer.seal(token),
    organization_id: organizationId,
    created_by: createdBy,
  };
  return startPull(context, pull, onInserted);
}
