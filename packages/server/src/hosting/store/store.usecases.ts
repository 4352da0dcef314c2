import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { AppError, errors, hasCode } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import type { Hub, HubFile, HubModel } from "../hub/index.ts";
import { type GgufConverter, type IsKnownArchitecture, type RuntimeLimits, usesProjectors } from "../runtimes/index.ts";
import { asksForConversion, type ConversionPlan, planConversion } from "./conversions/conversion-plan.ts";
import { chooseBest, chooseFile, findSmallest, listLoadableFiles, tooLarge } from "./files/choose-file.ts";
import { chooseProjector } from "./files/choose-projector.ts";
import { toHubFilesColumn } from "./files/hub-files-column.ts";
import { parseModelReference } from "./files/quantizations.ts";
import type { StoreFolder } from "./files/store-folder.ts";
import type { PullRunner } from "./pulls/pull-runner.ts";
import { type OnPullInserted, startPull } from "./pulls/start-pull.ts";
import type { StoreQuota } from "./quota/store-quota.ts";
import { type PullRow, toPartsColumn } from "./rows/pull-rows.ts";
import type { Source } from "./sources/find-source.ts";
import type { HubTokens } from "./sources/hub-tokens.ts";
import type { Sources } from "./sources/sources.ts";
import { diskFull, noGgufFile, notConvertible, pullEnded, unknownArchitecture } from "./store.errors.ts";
import type { StoreRepository } from "./store.repository.ts";

/** A model file to download, and the organization that it is for. */
export type PullInput = {
  /** The repository as it was read from the hub. */
  model: HubModel;
  /** The id of the model; by default the id of the repository. */
  modelId?: string;
  file?: string | undefined;
  /** The quantization, such as `Q5_K_M`. Without it and without `file`, the best file is chosen. */
  quantization?: string | null;
  token?: string | undefined;
  /** The organization that may use the file; null for a public model. */
  organizationId: string | null;
  /** The user who started it; null for the server itself. */
  createdBy: string | null;
};

type Deps = {
  db: Database;
  storeRepository: StoreRepository;
  folder: StoreFolder;
  hub: Hub;
  runner: PullRunner;
  sealer: Sealer;
  tokens: HubTokens;
  sources: Sources;
  quota: StoreQuota;
  clock: Clock;
  ids: Ids;
  isKnownArchitecture: IsKnownArchitecture;
  converter: GgufConverter;
  /** The largest file that can be loaded here, in bytes. */
  maxFileBytes: number;
  /** The programs that run the models. */
  runtimes: RuntimeLimits;
};
/** The files of a model that can be loaded. */
export type SourceFiles = {
  modelId: string;
  /** The repository that the files are in. */
  repository: string;
  files: readonly HubFile[];
  /** The largest file that can be loaded, in bytes; by default the store's limit. */
  maxBytes?: number;
  /** The path of the file that a download without a named file would take; null if it would be refused. */
  chosen: string | null;
  /** Whether the file is converted here from safetensors files, so that its size is an estimate. */
  isConversion?: boolean;
  /** Why a download would be refused; null if it would be accepted. */
  reason: string | null;
  /** When the hub was last read, if it cannot be reached now; null if it was read for this request. */
  cachedAt: Date | null;
};
/** Runs in the transaction that changes the download. */
type OnPullChanged = (row: PullRow, trx: Database) => Promise<void>;

/** Use cases of model files: starts, lists, pauses and cancels downloads. */
export function createModelStore(deps: Deps) {
  return {
    ...bind(deps, {
      pull: pullModel,
      findArchitectureProblem,
      planConversion,
      pullPublic,
      listSourceFiles,
      cancel: cancelPull,
      pause: pausePull,
      resume: resumePull,
    }),
    listPulls: deps.storeRepository.listPulls,
    maxFileBytes: deps.maxFileBytes,
  };
}

/**
 * Starts a download, or joins the unfinished one of the same file. If that one is paused, it is queued again. Throws
 * `store.no_gguf`, `store.parts_missing`, `store.unknown_architecture`, `store.too_large`, `store.disk_full` and
 * `store.quota_full`.
 */
async function pullModel(
  deps: Deps,
  { model, modelId = model.id, file, quantization = null, token, organizationId, createdBy }: PullInput,
  onInserted: OnPullInserted,
): Promise<PullRow> {
  const { folder, quota } = deps;
  const plan = await findConversion(deps, model, { file, quantization });
  if (plan) return startConversion(deps, plan, { model, modelId, token, organizationId, createdBy }, onInserted);
  const { projector, maxBytes } = planProjector(deps, model.files);
  const chosen = chooseFile(model.files, { path: file, quantization, maxBytes });
  if (!chosen) throw noGgufFile(model.id);
  const problem = await findArchitectureProblem(deps, model);
  if (problem) throw problem;
  const { path, size, sha256, parts } = chosen;
  const fileColumns = { model_id: modelId, repository: model.id, revision: model.revision, file: path, sha256 };
  const isStored = sha256 !== null && (await folder.has({ sha256, file: path }, size));
  const space = await folder.checkSpace(fileColumns, size);
  const projectorBytes = projector?.size ?? 0;
  const missing = {
    needed: (isStored ? 0 : space.needed) + projectorBytes,
    bytes: (isStored ? 0 : size) + projectorBytes,
  };
  if (missing.needed > space.free) throw diskFull(missing.needed, space.free);
  if (missing.bytes > 0) await quota.check(missing.bytes);
  const pull = {
    ...fileColumns,
    parts: toPartsColumn(parts),
    projector: projector && toHubFilesColumn([projector]),
    bytes_done: size - space.needed,
    bytes_total: size + projectorBytes,
    sealed_token: token === undefined ? null : deps.sealer.seal(token),
    organization_id: organizationId,
    created_by: createdBy,
  };
  return startPull(deps, pull, onInserted);
}

/**
 * Returns the projector that is downloaded with a model, and the largest file that can be loaded with it, in bytes. The
 * projector is null if the repository has none, no program here reads it, or no file of the model fits beside it.
 */
function planProjector(
  { runtimes, maxFileBytes }: Pick<Deps, "runtimes" | "maxFileBytes">,
  files: readonly HubFile[],
): { projector: HubFile | null; maxBytes: number } {
  const projector = usesProjectors(runtimes) ? chooseProjector(files) : null;
  const maxBytes = maxFileBytes - (projector?.size ?? 0);
  const fits = projector !== null && chooseBest(listLoadableFiles(files), maxBytes) !== null;
  return fits ? { projector, maxBytes } : { projector: null, maxBytes: maxFileBytes };
}

/**
 * Returns how a repository is converted. Null if it has a GGUF file, there is no converter, or the request names another
 * file or quantization. Throws `store.not_convertible` if the converter cannot convert the repository.
 */
async function findConversion(
  deps: Deps,
  model: HubModel,
  request: { file?: string | undefined; quantization: string | null },
): Promise<ConversionPlan | null> {
  if (!deps.converter.isSetUp || !asksForConversion(model.id, request)) return null;
  const plan = await planConversion(deps, model);
  if (plan !== null && "problem" in plan) throw notConvertible(model.id, plan.problem);
  return plan;
}

async function startConversion(
  deps: Deps,
  { file, size, facts: { downloadSize } }: ConversionPlan,
  { model, modelId = model.id, token, organizationId, createdBy }: PullInput,
  onInserted: OnPullInserted,
): Promise<PullRow> {
  const space = await deps.folder.checkFree(downloadSize + size);
  if (!space.fits) throw diskFull(space.needed, space.free);
  await deps.quota.check(size);
  const pull = {
    model_id: modelId,
    repository: model.id,
    revision: model.revision,
    file,
    sha256: null,
    is_conversion: true,
    parts: null,
    bytes_done: 0,
    bytes_total: downloadSize,
    stored_bytes: size,
    sealed_token: token === undefined ? null : deps.sealer.seal(token),
    organization_id: organizationId,
    created_by: createdBy,
  };
  return startPull(deps, pull, onInserted);
}

/** Returns `store.unknown_architecture` if the hub states an architecture that llama.cpp does not know; null otherwise. */
async function findArchitectureProblem(
  { isKnownArchitecture }: Deps,
  { id, ggufArchitecture }: Pick<HubModel, "id" | "ggufArchitecture">,
): Promise<AppError | null> {
  const isKnown = ggufArchitecture === null || (await isKnownArchitecture(ggufArchitecture));
  return isKnown ? null : unknownArchitecture(id, ggufArchitecture);
}

/**
 * Starts the download of a public model. The reference names a model of the catalogue or a repository of the hub, with or
 * without a quantization: `owner/name:Q5_K_M`. A file that was downloaded before, even in part, is downloaded from the same
 * repository again.
 */
async function pullPublic(
  deps: Deps,
  reference: string,
  file: string | undefined,
  createdBy: string | null,
  onInserted: OnPullInserted,
): Promise<PullRow> {
  const { id, quantization } = parseModelReference(reference);
  const earlier = file === undefined ? undefined : await deps.storeRepository.findPublicPull(id, file);
  const { repository, modelId, token } = earlier ? await readEarlierSource(deps, earlier) : await readSource(deps, id);
  const input = { model: repository, modelId, file, quantization, token, organizationId: null, createdBy };
  return pullModel(deps, input, onInserted);
}

/**
 * Returns the repository with the GGUF files of a model. If there is none and a converter is set up, the model's own
 * repository.
 */
async function readSource({ sources, hub, tokens, storeRepository, converter }: Deps, id: string): Promise<Source> {
  try {
    return await sources.read(id);
  } catch (error) {
    if (!converter.isSetUp || !hasCode(error, "store.no_gguf")) throw error;
    const repository = await hub.model(id, { token: tokens.operatorToken });
    const modelId = (await storeRepository.findModelId(id)) ?? (await storeRepository.findModelId(repository.id));
    return { repository, modelId: modelId ?? repository.id, token: await tokens.forRepository(repository) };
  }
}

/** Returns the source of an earlier download. */
async function readEarlierSource(
  { hub, tokens }: Deps,
  earlier: Pick<PullRow, "repository" | "model_id">,
): Promise<Source> {
  const repository = await hub.model(earlier.repository, { token: tokens.operatorToken });
  return { repository, modelId: earlier.model_id, token: await tokens.forRepository(repository) };
}

/**
 * Returns the files of a model that can be loaded, and the one that `pullPublic` would choose. If the hub cannot be
 * reached, the stored result of the last read is used. Throws `store.no_gguf`, and `hub.*` errors if nothing is stored
 * about the model.
 */
async function listSourceFiles(deps: Deps, reference: string): Promise<SourceFiles> {
  const { id, quantization } = parseModelReference(reference);
  const { modelId, repository, ggufArchitecture, hubFiles, cachedAt, conversion } = await readOrRecall(deps, {
    id,
    quantization,
  });
  if (conversion) {
    const { file, size } = conversion;
    const files = [{ path: file, size, sha256: null }];
    return { modelId, repository, files, chosen: file, reason: null, cachedAt, isConversion: true };
  }
  const files = listLoadableFiles(hubFiles);
  const { maxBytes } = planProjector(deps, hubFiles);
  const best = quantization === null ? chooseBest(files, maxBytes) : chooseFile(hubFiles, { quantization, maxBytes });
  const smallest = findSmallest(files);
  const problem =
    best === null && smallest !== null
      ? tooLarge(smallest, maxBytes)
      : await findArchitectureProblem(deps, { id: repository, ggufArchitecture });
  const chosen = problem === null ? (best?.path ?? null) : null;
  return { modelId, repository, files, chosen, reason: problem?.message ?? null, cachedAt };
}

async function readOrRecall(deps: Deps, { id, quantization }: { id: string; quantization: string | null }) {
  const { sources } = deps;
  try {
    const { modelId, repository } = await readSource(deps, id);
    const { id: repositoryId, files: hubFiles, ggufArchitecture } = repository;
    const conversion = await findConversion(deps, repository, { quantization });
    if (conversion === null && listLoadableFiles(hubFiles).length === 0) throw noGgufFile(repositoryId);
    return { modelId, repository: repositoryId, ggufArchitecture, hubFiles, cachedAt: null, conversion };
  } catch (error) {
    const isHubGone = error instanceof AppError && error.status >= 500;
    const known = isHubGone ? await sources.recall(id) : null;
    if (known?.repository == null) throw error;
    const { model_id: modelId, repository, files: hubFiles, read_at: cachedAt } = known;
    return { modelId, repository, ggufArchitecture: null, hubFiles, cachedAt, conversion: null };
  }
}

/**
 * Cancels a download. The partial file is kept, so that a later download of the file can continue it. Throws
 * `store.pull_ended`.
 */
async function cancelPull(
  { db, storeRepository, runner, clock }: Deps,
  id: string,
  onCanceled: OnPullChanged,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await getPull(storeRepository, id);
    if (row.state === "canceled") return;
    if (!(await storeRepository.cancel(id, clock.now(), trx)))
      throw pullEnded((await storeRepository.findPull(id))?.state ?? "gone");
    await onCanceled(row, trx);
  });
  runner.abort(id);
}

/** Pauses a download until it is resumed, so that the next one can run. Throws `store.pull_ended`. */
async function pausePull(
  { db, storeRepository, runner, clock }: Deps,
  id: string,
  onPaused: OnPullChanged,
): Promise<PullRow> {
  const row = await db.transaction().execute(async (trx) => {
    const paused = await storeRepository.pause(id, clock.now(), trx);
    if (paused) await onPaused(paused, trx);
    return paused;
  });
  if (row) runner.abort(id);
  const current = row ?? (await getPull(storeRepository, id));
  if (current.state !== "paused") throw pullEnded(current.state);
  return current;
}

/** Queues a paused download again. Throws `store.pull_ended`, and `store.disk_full` if the disk lacks space. */
async function resumePull(
  { db, storeRepository, folder, runner, clock }: Deps,
  id: string,
  onResumed: OnPullChanged,
): Promise<PullRow> {
  const known = await getPull(storeRepository, id);
  if (["done", "failed", "canceled"].includes(known.state)) throw pullEnded(known.state);
  const space = await folder.checkSpace(known, known.bytes_total);
  if (!space.fits) throw diskFull(space.needed, space.free);
  const row = await db.transaction().execute(async (trx) => {
    const resumed = await storeRepository.resume(id, clock.now(), trx);
    if (resumed) await onResumed(resumed, trx);
    return resumed;
  });
  runner.poll();
  return row ?? getPull(storeRepository, id);
}

async function getPull(storeRepository: StoreRepository, id: string): Promise<PullRow> {
  const row = await storeRepository.findPull(id);
  if (!row) throw errors.store.pullNotFound();
  return row;
}

export type ModelStore = ReturnType<typeof createModelStore>;
