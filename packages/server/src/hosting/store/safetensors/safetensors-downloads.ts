import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Sealer } from "../../../platform/core/secrets/sealing.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import type { Hub } from "../../hub/index.ts";
import { readSafetensorsFacts, type SafetensorsFacts } from "../files/safetensors-facts.ts";
import type { PullProgress } from "../pulls/pull-runner.ts";
import { downloadRepository } from "../pulls/repository-files.ts";
import type { HubTokens } from "../sources/hub-tokens.ts";
import { PullFailedError } from "../store.errors.ts";
import type { PullRow, StoreRepository } from "../store.repository.ts";
import type {
  SafetensorsFiles,
  SafetensorsModelRow,
  SafetensorsModelsRepository,
} from "./safetensors-models.repository.ts";

type Deps = {
  db: Database;
  hub: Hub;
  tokens: HubTokens;
  sealer: Sealer;
  storeRepository: StoreRepository;
  safetensorsRepository: SafetensorsModelsRepository;
  /**
   * The folder of model files. Public models are in `repositories`, private ones in a folder per organization below
   * `organizations`, so that an organization never gets files that another one's token has downloaded.
   */
  root: string;
  clock: Clock;
  /** Makes a model whose files are complete callable. */
  onStored(model: SafetensorsModelRow, trx: Database): Promise<void>;
};
type Whose = Pick<SafetensorsFiles, "repository" | "organization_id">;

/** How long the files of a canceled or failed download are kept, so that the next download of the model continues it. */
const ENDED_PULL_KEPT_MS = 14 * DAY_MS;
const WEIGHTS_ENDING = ".safetensors";

/** Downloads the files of models for vLLM, each model into a separate folder. */
export function createSafetensorsDownloads(deps: Deps) {
  return bind(deps, {
    folderOf,
    remove: removeFiles,
    deleteUnneeded,
    download: downloadModel,
    describe: describeModel,
  });
}

export type SafetensorsDownloads = ReturnType<typeof createSafetensorsDownloads>;

/** Returns the folder of a model's files at a commit. */
function folderOf(deps: Pick<Deps, "root">, files: SafetensorsFiles): string {
  return join(repositoryFolder(deps, files), toFolderName(files.revision));
}

function repositoryFolder({ root }: Pick<Deps, "root">, { repository, organization_id }: Whose): string {
  const parent = organization_id === null ? ["repositories"] : ["organizations", toFolderName(organization_id)];
  return join(root, ...parent, toFolderName(repository));
}

/** Deletes the files of a model. */
async function removeFiles(deps: Deps, whose: Whose): Promise<void> {
  const folder = repositoryFolder(deps, whose);
  await rm(folder, { recursive: true, force: true });
  if (whose.organization_id !== null) await removeIfEmpty(dirname(folder));
}

/** Deletes the files of deleted models, of former commits, and of downloads that ended without a model. */
async function deleteUnneeded(deps: Deps): Promise<void> {
  const { root, safetensorsRepository, clock } = deps;
  const now = clock.now();
  // The folders are listed before the rows are read: a folder that is created in between already has a row, and is kept.
  const organizations = await listFolders(join(root, "organizations"));
  const parents = [join(root, "repositories"), ...organizations];
  const repositories = (await Promise.all(parents.map(listFolders))).flat();
  const folders = (await Promise.all(repositories.map(listFolders))).flat();
  const since = new Date(now.getTime() - ENDED_PULL_KEPT_MS);
  const needed = await safetensorsRepository.listNeededFiles({ now, since });
  const neededFolders = new Set(needed.map((files) => folderOf(deps, files)));
  for (const folder of folders) if (!neededFolders.has(folder)) await rm(folder, { recursive: true, force: true });
  for (const folder of [...repositories, ...organizations]) await removeIfEmpty(folder);
}

async function listFolders(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {}); // others are in it
}

/** Returns a file name without separators or leading dots, so that a repository's name cannot lead out of the folder. */
function toFolderName(text: string): string {
  return text
    .replaceAll("/", "--")
    .replaceAll(/[^\w.-]/g, "_")
    .replace(/^\.+/, "_");
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
  const folder = folderOf(deps, row);
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
async function complete(deps: Deps, row: PullRow, facts: SafetensorsFacts): Promise<boolean> {
  const { db, storeRepository, safetensorsRepository, clock, onStored } = deps;
  const now = clock.now();
  const model: SafetensorsModelRow = {
    model_id: row.model_id,
    repository: row.repository,
    revision: row.revision,
    organization_id: row.organization_id,
    file: facts.weightFile,
    size: facts.size,
    parameter_size: facts.parameterSize,
    context_length: facts.contextLength,
    bytes_per_token: facts.bytesPerToken,
    last_used_at: null,
    pinned: (await safetensorsRepository.find(row.model_id, row.organization_id))?.pinned ?? false,
    created_at: now,
  };
  const ended = {
    state: "done",
    bytes_done: row.bytes_total,
    error: null,
    sealed_token: null,
    lease_until: null,
    updated_at: now,
  };
  return db.transaction().execute(async (trx) => {
    if (!(await storeRepository.updateRunningPull(row.id, ended, trx))) return false;
    await safetensorsRepository.save(model, trx);
    // The model is made callable in the transaction that ends the download, before others see it as done.
    await onStored(model, trx);
    return true;
  });
}
