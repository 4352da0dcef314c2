import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Sealer } from "../../../platform/core/secrets/sealing.ts";
import type { Hub } from "../../hub/index.ts";
import { readSafetensorsFacts, type SafetensorsFacts } from "../files/safetensors-facts.ts";
import { endPull, toModelColumns } from "../pulls/end-pull.ts";
import type { PullProgress, PullWork } from "../pulls/pull-runner.ts";
import { downloadRepository } from "../pulls/repository-files.ts";
import type { StoreQuota } from "../quota/store-quota.ts";
import type { StoredModelRow } from "../rows/model-rows.ts";
import type { PullRow } from "../rows/pull-rows.ts";
import type { HubTokens } from "../sources/hub-tokens.ts";
import { PullFailedError } from "../store.errors.ts";
import type { StoreRepository } from "../store.repository.ts";
import type { SafetensorsFolders } from "./safetensors-folders.ts";

type Deps = {
  db: Database;
  hub: Hub;
  tokens: HubTokens;
  sealer: Sealer;
  storeRepository: StoreRepository;
  folders: Pick<SafetensorsFolders, "folderOf">;
  quota: Pick<StoreQuota, "makeRoom">;
  /** Whether a remote host runs public models, so that only their descriptions are stored here. */
  isSharedRemote: boolean;
  clock: Clock;
  /** Makes a model whose files are complete callable. */
  onStored(model: StoredModelRow, pull: PullRow, trx: Database): Promise<void>;
};

const WEIGHTS_ENDING = ".safetensors";

/** Returns the work that downloads the safetensors files of a model, which vLLM runs, into a separate folder. */
export function createSafetensorsWork(deps: Deps): PullWork {
  const { storeRepository, quota, isSharedRemote } = deps;
  return async (row, progress, signal) => {
    if (isSharedRemote && row.organization_id === null) return describeModel(deps, row, signal);
    if (!(await isStored(storeRepository, row))) await quota.makeRoom(row.bytes_total, row.id);
    return downloadModel(deps, row, progress, signal);
  };
}

/** Returns whether the safetensors files of a model at a commit are stored. */
export async function isStored(
  storeRepository: Pick<StoreRepository, "listModelsById">,
  { model_id, organization_id, revision }: Pick<StoredModelRow, "model_id" | "organization_id" | "revision">,
): Promise<boolean> {
  const models = await storeRepository.listModelsById(model_id, organization_id);
  return models.some((model) => model.files === "safetensors" && model.revision === revision);
}

/** Downloads the files of a model. Returns false if the download was canceled or paused meanwhile. */
async function downloadModel(deps: Deps, row: PullRow, progress: PullProgress, signal: AbortSignal): Promise<boolean> {
  const facts = await readFacts(deps, row, signal);
  const onProgress = (bytes: number) => {
    progress.bytes = Math.min(bytes, row.bytes_total);
  };
  await downloadFiles(deps, row, facts.files, onProgress, signal);
  return complete(deps, row, facts);
}

/**
 * Stores a model whose weights a remote host downloads: only the other files of the repository are kept here. Returns false
 * if that was canceled or paused meanwhile.
 */
async function describeModel(deps: Deps, row: PullRow, signal: AbortSignal): Promise<boolean> {
  const facts = await readFacts(deps, row, signal);
  const texts = facts.files.filter(({ path }) => !path.endsWith(WEIGHTS_ENDING));
  await downloadFiles(deps, row, texts, () => {}, signal);
  return complete(deps, row, facts);
}

async function readFacts(deps: Deps, row: PullRow, signal: AbortSignal): Promise<SafetensorsFacts> {
  const { repository, revision } = row;
  const facts = readSafetensorsFacts(
    await deps.hub.model(repository, { token: await findToken(deps, row), revision, signal }),
  );
  if (facts === null) throw new PullFailedError(`${repository} has no safetensors files any more.`);
  return facts;
}

async function downloadFiles(
  deps: Deps,
  row: PullRow,
  files: SafetensorsFacts["files"],
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const { repository: id, revision } = row;
  const folder = deps.folders.folderOf(row);
  // Only the server's user may enter the folder, and where vLLM runs under another account, that account.
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const token = await findToken(deps, row);
  await downloadRepository(deps.hub, { id, revision, token, files, folder }, onProgress, signal);
}

/** Returns the token for the hub. A private model is downloaded only with the token that its owner gave. */
async function findToken({ tokens, sealer }: Deps, row: PullRow): Promise<string | undefined> {
  const { organization_id, sealed_token, repository: id } = row;
  if (organization_id === null) return tokens.forRepository({ id, gated: true });
  return sealed_token === null ? undefined : sealer.open(sealed_token);
}

/** Stores a complete model. Returns false if its download was canceled or paused meanwhile. */
function complete(deps: Deps, row: PullRow, facts: SafetensorsFacts): Promise<boolean> {
  const columns = {
    ...toModelColumns(row, deps.clock.now()),
    file: facts.weightFile,
    size: facts.size,
    parameter_size: facts.parameterSize,
    context_length: facts.contextLength,
    bytes_per_token: facts.bytesPerToken,
  };
  return endPull(deps, row, { files: "safetensors", columns });
}
