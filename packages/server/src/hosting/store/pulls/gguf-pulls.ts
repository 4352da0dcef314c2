import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { UnreadableTextError } from "../../../platform/core/parse-pool.ts";
import type { Sealer } from "../../../platform/core/secrets/sealing.ts";
import type { Hub } from "../../hub/index.ts";
import type { IsKnownArchitecture } from "../../runtimes/index.ts";
import { type GgufFacts, type ReadGgufHeader, readGgufFacts } from "../files/gguf-facts.ts";
import type { StoreFolder } from "../files/store-folder.ts";
import { combineChecksums } from "../model-files.ts";
import type { StoreQuota } from "../quota/store-quota.ts";
import type { StoredModelRow } from "../rows/model-rows.ts";
import { type PullRow, partsOf } from "../rows/pull-rows.ts";
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

/** Returns the work that downloads a GGUF file, verifies it, and names it by its checksum. */
export function createGgufWork(deps: GgufDeps): PullWork {
  return async (row, progress, signal) => {
    const sha256 = await fetchFile(deps, row, progress, signal);
    return completePull(deps, row, { sha256, size: row.bytes_total }, signal);
  };
}

/** Downloads the file into the store, unless the store has it, and returns its checksum. */
async function fetchFile(
  { storeRepository, folder, hub, sealer, quota, clock }: GgufDeps,
  row: PullRow,
  progress: PullProgress,
  signal: AbortSignal,
): Promise<string> {
  const { repository: id, file, revision, sha256, bytes_total: size, sealed_token } = row;
  if (sha256 !== null && (await folder.has({ sha256, file }, size))) {
    await folder.touch({ sha256, file }, clock.now());
    return sha256;
  }
  await quota.makeRoom(size, row.id);
  const space = await folder.checkSpace(row, size);
  if (!space.fits) throw diskFull(space.needed, space.free);
  const onProgress = (bytes: number) => {
    progress.bytes = bytes;
  };
  const onVerifying = () =>
    void storeRepository.updateRunningPull(row.id, { state: "verifying", bytes_done: size }).catch(() => {});
  const token = sealed_token === null ? undefined : sealer.open(sealed_token);
  const partPaths = await folder.preparePartial(row);
  const files = partsOf(row).map((part, index) => ({ ...part, partPath: partPaths[index] ?? "" }));
  const options = { settings: DEFAULT_TRANSFER, onProgress, onVerifying, signal };
  const checksums = await download(hub, { id, revision, token, files }, options);
  const checksum = combineChecksums(checksums) ?? "";
  await folder.moveToStore(row, checksum);
  return checksum;
}

/**
 * Stores the row of a file that is in the store folder. Returns false if its download was canceled or paused meanwhile. If
 * its header cannot be read, deletes the file and throws `PullFailedError`; if llama.cpp does not know its architecture,
 * deletes the file and throws `store.unknown_architecture`.
 */
export async function completePull(
  deps: GgufDeps,
  row: PullRow,
  { sha256, size }: { sha256: string; size: number },
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
  return saveFile(deps, row, { sha256, size, facts });
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
  { sha256, size, facts }: { sha256: string; size: number; facts: GgufFacts },
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
  };
  return endPull(deps, row, { files: "gguf", columns });
}
