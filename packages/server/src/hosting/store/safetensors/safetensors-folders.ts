import { readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import type { RepositoryFolder } from "../rows/model-rows.ts";
import type { StoreRepository } from "../store.repository.ts";

type Deps = {
  /**
   * The folder of model files. Public models are in `repositories`, private ones in a folder per organization below
   * `organizations`, so that an organization never gets files that another one's token has downloaded.
   */
  root: string;
  storeRepository: Pick<StoreRepository, "listNeededFolders">;
  clock: Clock;
};
type Whose = Pick<RepositoryFolder, "repository" | "organization_id">;

/** How long the files of a canceled or failed download are kept, so that the next download of the model continues it. */
const ENDED_PULL_KEPT_MS = 14 * DAY_MS;

/** Creates the folders in which the safetensors files of models lie, each model's in a separate one. */
export function createSafetensorsFolders(deps: Deps) {
  return bind(deps, { folderOf, remove: removeFiles, deleteUnneeded });
}

/** The folders in which the safetensors files of models lie. */
export type SafetensorsFolders = ReturnType<typeof createSafetensorsFolders>;

/** Returns the folder of a model's files at a commit. */
function folderOf(deps: Pick<Deps, "root">, files: RepositoryFolder): string {
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
  const { root, storeRepository, clock } = deps;
  const now = clock.now();
  // The folders are listed before the rows are read: a folder that is created in between already has a row, and is kept.
  const organizations = await listFolders(join(root, "organizations"));
  const parents = [join(root, "repositories"), ...organizations];
  const repositories = (await Promise.all(parents.map(listFolders))).flat();
  const folders = (await Promise.all(repositories.map(listFolders))).flat();
  const since = new Date(now.getTime() - ENDED_PULL_KEPT_MS);
  const needed = await storeRepository.listNeededFolders({ now, since });
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
