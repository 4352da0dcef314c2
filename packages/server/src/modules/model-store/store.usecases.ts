import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { errors } from "../../core/errors/index.ts";
import type { Ids } from "../../core/ids.ts";
import type { Sealer } from "../../core/sealing.ts";
import type { Hub, HubFile, HubModel } from "../hub/index.ts";
import { chooseBest, chooseFile, findSmallest, listLoadableFiles, tooLarge } from "./choose-file.ts";
import { findSource, type Source } from "./find-source.ts";
import type { HubTokens } from "./hub-tokens.ts";
import type { PullRunner } from "./pull-runner.ts";
import { parseModelReference } from "./quantizations.ts";
import { diskFull, noGgufFile, pullEnded } from "./store.errors.ts";
import type { PullRow, StoreRepository } from "./store.repository.ts";
import type { StoreFolder } from "./store-folder.ts";
import type { StoreQuota } from "./store-quota.ts";

/** A model file to download, and for whom. */
export type PullInput = {
  /** The repository as read from the hub. */
  model: HubModel;
  /** The id of the model; that of the repository by default. */
  modelId?: string;
  file?: string | undefined;
  /** The quantization, such as `Q5_K_M`; chosen if neither it nor the file is given. */
  quantization?: string | null;
  token?: string | undefined;
  /** The organization that may use the file; null for all. */
  organizationId: string | null;
  createdBy: string;
};

type Deps = {
  db: Database;
  storeRepository: StoreRepository;
  folder: StoreFolder;
  hub: Hub;
  runner: PullRunner;
  sealer: Sealer;
  tokens: HubTokens;
  quota: StoreQuota;
  clock: Clock;
  ids: Ids;
  /** Bytes that a file may have to be loaded here. */
  maxFileBytes: number;
};
/** The files of a model that can be loaded. */
export type SourceFiles = {
  modelId: string;
  /** The repository that the files are in. */
  repository: string;
  files: readonly HubFile[];
  /** Bytes that a file may have to be loaded here; by default those of the store. */
  maxBytes?: number;
  /** The path of the file that a download takes; null if it would be refused. */
  chosen: string | null;
  /** Why a download would be refused; null if it would not be. */
  reason: string | null;
};
/** Runs in the transaction that stores the download; `isNew` is false if the same file is being downloaded already. */
type OnPullInserted = (row: PullRow, trx: Database, isNew: boolean) => Promise<void>;

/** Use cases of model files: starts, lists and cancels downloads. */
export function createModelStore(deps: Deps) {
  return {
    ...bind(deps, { pull: startPull, pullPublic, listSourceFiles, cancel: cancelPull }),
    listPulls: deps.storeRepository.listPulls,
    maxFileBytes: deps.maxFileBytes,
  };
}

/**
 * Starts a download, or joins an active one of the same file. Throws `store.no_gguf`, `store.too_large`,
 * `store.disk_full` and `store.quota_full`.
 */
async function startPull(
  deps: Deps,
  { model, modelId = model.id, file, quantization = null, token, organizationId, createdBy }: PullInput,
  onInserted: OnPullInserted,
): Promise<PullRow> {
  const { db, storeRepository, folder, runner, sealer, quota, clock, ids, maxFileBytes } = deps;
  const chosen = chooseFile(model.files, { path: file, quantization, maxBytes: maxFileBytes });
  if (!chosen) throw noGgufFile(model.id);
  const { path, size, sha256 } = chosen;
  const fileColumns = { model_id: modelId, repository: model.id, revision: model.revision, file: path, sha256 };
  const isStored = sha256 !== null && (await folder.has(sha256, size));
  const space = await folder.checkSpace(folder.partPath(fileColumns), size);
  if (!isStored && !space.fits) throw diskFull(space.needed, space.free);
  if (!isStored) await quota.check(size);
  const now = clock.now();
  const row = await db.transaction().execute(async (trx) => {
    const newPull = {
      ...fileColumns,
      id: ids.next("pull"),
      bytes_done: size - space.needed,
      bytes_total: size,
      sealed_token: token === undefined ? null : sealer.seal(token),
      organization_id: organizationId,
      created_by: createdBy,
      created_at: now,
      updated_at: now,
    };
    const { row: insertedRow, isNew } = await storeRepository.insertPull(newPull, trx);
    await onInserted(insertedRow, trx, isNew);
    return insertedRow;
  });
  runner.poll();
  return row;
}

/**
 * Starts a download for everybody. The reference names a model of the catalogue or a repository of the hub, with or
 * without a quantization: `owner/name:Q5_K_M`. A file that was downloaded before, whole or in part, comes from the
 * repository of that time.
 */
async function pullPublic(
  deps: Deps,
  reference: string,
  file: string | undefined,
  createdBy: string,
  onInserted: OnPullInserted,
): Promise<PullRow> {
  const { id, quantization } = parseModelReference(reference);
  const earlier = file === undefined ? undefined : await deps.storeRepository.findPublicPull(id, file);
  const { repository, modelId, token } = earlier
    ? await readEarlierSource(deps, earlier)
    : await findModelSource(deps, id);
  const input = { model: repository, modelId, file, quantization, token, organizationId: null, createdBy };
  return startPull(deps, input, onInserted);
}

function findModelSource({ hub, storeRepository, tokens }: Deps, id: string): Promise<Source> {
  return findSource({ hub, findModelId: storeRepository.findModelId, tokens }, id);
}

/** Returns the source of an earlier download. */
async function readEarlierSource(
  { hub, tokens }: Deps,
  earlier: Pick<PullRow, "repository" | "model_id">,
): Promise<Source> {
  const repository = await hub.model(earlier.repository, { token: tokens.operatorToken });
  return { repository, modelId: earlier.model_id, token: await tokens.forRepository(repository) };
}

/** Returns the files of a model that can be loaded, and which one `pullPublic` would take. Throws `store.no_gguf`. */
async function listSourceFiles(deps: Deps, reference: string): Promise<SourceFiles> {
  const { maxFileBytes } = deps;
  const { id, quantization } = parseModelReference(reference);
  const { repository, modelId } = await findModelSource(deps, id);
  const files = listLoadableFiles(repository.files);
  const best =
    quantization === null
      ? chooseBest(files, maxFileBytes)
      : chooseFile(files, { quantization, maxBytes: maxFileBytes });
  const smallest = findSmallest(files);
  const reason = best === null && smallest !== null ? tooLarge(smallest, maxFileBytes).message : null;
  return { modelId, repository: repository.id, files, chosen: best?.path ?? null, reason };
}

/** Cancels a download. The partial file is kept, so that the same download can continue it. */
async function cancelPull(
  { db, storeRepository, runner, clock }: Deps,
  id: string,
  onInserted: OnPullInserted,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await storeRepository.findPull(id);
    if (!row) throw errors.store.pullNotFound();
    if (row.state === "canceled") return;
    const change = { state: "canceled", sealed_token: null, lease_until: null, updated_at: clock.now() };
    if (!(await storeRepository.updateActivePull(id, change, trx)))
      throw pullEnded((await storeRepository.findPull(id))?.state ?? "gone");
    await onInserted(row, trx, false);
  });
  runner.abort(id);
}

export type ModelStore = ReturnType<typeof createModelStore>;
