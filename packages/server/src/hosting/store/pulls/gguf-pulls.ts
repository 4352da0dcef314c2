import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { UnreadableTextError } from "../../../platform/core/parse-pool.ts";
import type { Sealer } from "../../../platform/core/secrets/sealing.ts";
import type { Hub, HubFile } from "../../hub/index.ts";
import type { IsKnownArchitecture } from "../../runtimes/index.ts";
import { type GgufFacts, type ReadGgufHeader, readGgufFacts } from "../files/gguf-facts.ts";
import type { PartialName, StoreFolder } from "../files/store-folder.ts";
import { combineChecksums } from "../model-files.ts";
import type { StoreQuota } from "../quota/store-quota.ts";
import type { StoredFile, StoredModelRow } from "../rows/model-rows.ts";
import { type PullRow, partsOf, projectorOfPull, weightBytesOf } from "../rows/pull-rows.ts";
import { diskFull, unknownArchitecture } from "../store.errors.ts";
import type { StoreRepository } from "../store.repository.ts";
import { download } from "./download.ts";
import { endPull, toModelColumns } from "./end-pull.ts";
import type { PullProgress, PullWork } from "./pull-runner.ts";
import { DEFAULT_TRANSFER, WrongFileError } from "./transfer.ts";

/** The dependencies of downloads of GGUF files. */
export type GgufDeps = {
  db: Database;
  storeRepository: StoreRepository;
  folder: StoreFolder;
  hub: Hub;
  sealer: Sealer;
  quota: StoreQuota;
  clock: Clock;
  isKnownArchitecture: IsKnownArchitecture;
  readGgufHeader: ReadGgufHeader;
  /** Makes the model of a complete and verified file callable. */
  onStored(model: StoredModelRow, pull: PullRow, trx: Database): Promise<void>;
};

/** A file of a download: its partial file, the parts of it in the repository, and its size in bytes. */
type PulledFile = { partial: PartialName; parts: readonly HubFile[]; size: number };
/** The files of a complete download. */
type CompleteFiles = { sha256: string; size: number; projector?: StoredFile | null };

/** Returns the work that downloads a GGUF file and its projector, verifies them, and names them by their checksums. */
export function createGgufWork(deps: GgufDeps): PullWork {
  return async (row, progress, signal) => {
    const weights = { partial: row, parts: partsOf(row), size: weightBytesOf(row) };
    const projector = toProjectorFile(row);
    await makeRoom(deps, row, projector ? [weights, projector] : [weights]);
    const fetchedWeights = await fetchFile(deps, row, { ...weights, progress, doneBytes: 0 }, signal);
    const fetchedProjector = projector && (await fetchProjector(deps, row, { ...projector, progress }, signal));
    // All at the end: a complete file that no row uses is deleted after an hour, and the projector may take as long.
    await fetchedWeights.store();
    await fetchedProjector?.store();
    const files = { sha256: fetchedWeights.sha256, size: weights.size, projector: fetchedProjector };
    return completePull(deps, row, files, signal);
  };
}

/** Downloads the projector after the weights. */
async function fetchProjector(
  deps: GgufDeps,
  row: PullRow,
  projector: PulledFile & { progress: PullProgress },
  signal: AbortSignal,
): Promise<FetchedFile> {
  const doneBytes = weightBytesOf(row);
  await deps.storeRepository.updateRunningPull(row.id, { state: "downloading", bytes_done: doneBytes });
  return fetchFile(deps, row, { ...projector, doneBytes }, signal);
}

/** Its partial file belongs to the download: other models may have the same projector, and are downloaded meanwhile. */
function toProjectorFile(row: PullRow): PulledFile | null {
  const file = projectorOfPull(row);
  if (file === null) return null;
  const partial = { repository: row.id, revision: row.revision, file: file.path, sha256: null };
  return { partial, parts: [file], size: file.size };
}

/** Makes room for the files that are not stored. Throws `store.quota_full` and `store.disk_full`. */
async function makeRoom({ folder, quota }: GgufDeps, row: PullRow, files: readonly PulledFile[]): Promise<void> {
  const missing: PulledFile[] = [];
  for (const file of files) if (!(await isStored(folder, file))) missing.push(file);
  if (missing.length === 0) return;
  await quota.makeRoom(
    missing.reduce((sum, { size }) => sum + size, 0),
    row.id,
  );
  let needed = 0;
  for (const { partial, size } of missing) needed += (await folder.checkSpace(partial, size)).needed;
  const { free, fits } = await folder.checkFree(needed);
  if (!fits) throw diskFull(needed, free);
}

async function isStored(folder: StoreFolder, { partial: { file }, parts, size }: PulledFile): Promise<boolean> {
  const sha256 = combineChecksums(parts.map((part) => part.sha256));
  return sha256 !== null && (await folder.has({ sha256, file }, size));
}

type FileToFetch = PulledFile & {
  progress: PullProgress;
  /** The bytes of the files before it. */
  doneBytes: number;
};
/** A file that is complete. `store` moves it into the store, unless it is there. */
type FetchedFile = StoredFile & { store(): Promise<void> };

/** Downloads a file, unless the store has it. */
async function fetchFile(
  { storeRepository, folder, hub, sealer, clock }: GgufDeps,
  row: PullRow,
  { partial, parts, size, progress, doneBytes }: FileToFetch,
  signal: AbortSignal,
): Promise<FetchedFile> {
  const { repository: id, revision, sealed_token } = row;
  const { file } = partial;
  const expected = combineChecksums(parts.map(({ sha256 }) => sha256));
  if (expected !== null && (await folder.has({ sha256: expected, file }, size))) {
    await folder.touch({ sha256: expected, file }, clock.now());
    return { sha256: expected, file, size, store: async () => {} };
  }
  const onProgress = (bytes: number) => {
    progress.bytes = doneBytes + bytes;
  };
  const verifying = { state: "verifying", bytes_done: doneBytes + size };
  const onVerifying = () => void storeRepository.updateRunningPull(row.id, verifying).catch(() => {});
  const token = sealed_token === null ? undefined : sealer.open(sealed_token);
  const partPaths = await folder.preparePartial(partial);
  const files = parts.map((part, index) => ({ ...part, partPath: partPaths[index] ?? "" }));
  const options = { settings: DEFAULT_TRANSFER, onProgress, onVerifying, signal };
  const checksums = await download(hub, { id, revision, token, files }, options);
  const sha256 = combineChecksums(checksums) ?? "";
  return { sha256, file, size, store: () => folder.moveToStore(partial, sha256) };
}

/**
 * Stores the row of a file that is in the store folder. Returns false if its download was canceled or paused meanwhile. If
 * its header cannot be read, deletes the file and throws `PullFailedError`; if llama.cpp does not know its architecture,
 * deletes the file and throws `store.unknown_architecture`.
 */
export async function completePull(
  deps: GgufDeps,
  row: PullRow,
  { sha256, size, projector = null }: CompleteFiles,
  signal: AbortSignal,
): Promise<boolean> {
  const { folder, isKnownArchitecture } = deps;
  const path = folder.pathOf({ sha256, file: row.file });
  const facts = await readFactsOfPull(deps, row, path, signal).catch(async (error: unknown) => {
    if (error instanceof WrongFileError) await folder.remove(sha256);
    throw error;
  });
  if (!(await isKnownArchitecture(facts.architecture))) {
    await folder.remove(sha256);
    throw unknownArchitecture(row.repository, facts.architecture);
  }
  return saveFile(deps, row, { sha256, size, facts, projector });
}

/** Reads the header of a downloaded file. Throws `WrongFileError` if it cannot be read. */
export function readFactsOfPull(
  { readGgufHeader }: Pick<GgufDeps, "readGgufHeader">,
  { file }: Pick<PullRow, "file">,
  path: string,
  signal: AbortSignal,
): Promise<GgufFacts> {
  return readGgufFacts(readGgufHeader, path, { signal }).catch((error: unknown) => {
    if (!(error instanceof UnreadableTextError)) throw error;
    throw new WrongFileError(`${file} is not a GGUF file that can be read: ${error.message}.`);
  });
}

/** Stores the model of a file and ends its download. Returns false if the download was canceled or paused meanwhile. */
export function saveFile(
  deps: GgufDeps,
  row: PullRow,
  { sha256, size, facts, projector = null }: CompleteFiles & { facts: GgufFacts },
): Promise<boolean> {
  const columns = {
    ...toModelColumns(row, deps.clock.now()),
    file: row.file,
    sha256,
    size,
    architecture: facts.architecture,
    context_length: facts.contextLength,
    bytes_per_token: facts.bytesPerToken,
    bytes_per_sequence: facts.bytesPerSequence,
    vocabulary_bytes: facts.vocabularyBytes,
    has_chat_template: facts.hasChatTemplate,
    parameter_size: facts.parameterSize,
    is_converted: row.is_conversion,
    is_reranker: facts.isReranker,
    projector_file: projector?.file ?? null,
    projector_sha256: projector?.sha256 ?? null,
    projector_bytes: projector?.size ?? 0,
  };
  return endPull(deps, row, { files: "gguf", columns });
}
