import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ConversionFailedError, type GgufConverter } from "../../runtimes/index.ts";
import { checksumOf } from "../pulls/download.ts";
import { completePull, type GgufDeps } from "../pulls/gguf-pulls.ts";
import type { PullProgress, PullWork } from "../pulls/pull-runner.ts";
import { downloadRepository } from "../pulls/repository-files.ts";
import type { PullRow } from "../rows/pull-rows.ts";
import { diskFull, PullFailedError } from "../store.errors.ts";
import { planConversion } from "./conversion-plan.ts";

type Deps = GgufDeps & { converter: GgufConverter; maxFileBytes: number };

/**
 * The largest difference between the GGUF file and the weights. The converter keeps oddly shaped weights in 16 bits and
 * adds the tokenizer, so the file is at most this much larger than the weights.
 */
const MAX_ADDED_BYTES = 256 * 1024 * 1024;

/**
 * Returns the work that downloads a model in safetensors files and converts it to a GGUF file. The downloaded files are
 * kept while the download may be continued, so that an interrupted conversion starts again without a download. They are
 * deleted when it has ended.
 */
export function createConversionWork(deps: Deps): PullWork {
  return async (row, progress, signal) => {
    const folder = deps.folder.conversionFolder(row.id);
    try {
      const isDone = await convertModel(deps, row, { folder, progress, signal });
      await deleteTree(folder);
      return isDone;
    } catch (error) {
      await deleteTree((await isOver(deps, row, error)) ? folder : join(folder, "output"));
      throw error;
    }
  };
}

type Work = { folder: string; progress: PullProgress; signal: AbortSignal };

async function convertModel(deps: Deps, row: PullRow, { folder, progress, signal }: Work): Promise<boolean> {
  const { hub, sealer, storeRepository, converter, quota } = deps;
  const { repository: id, revision, sealed_token } = row;
  const token = sealed_token === null ? undefined : sealer.open(sealed_token);
  const model = await hub.model(id, { token, revision, signal });
  const plan = await planConversion(deps, model);
  if (plan === null) throw new PullFailedError(`${id} has no safetensors files to convert any more.`);
  if ("problem" in plan) throw new PullFailedError(plan.problem);
  const { facts, size } = plan;
  await quota.makeRoom(size, row.id);
  const space = await deps.folder.checkFree(facts.downloadSize - progress.bytes + size);
  if (!space.fits) throw diskFull(space.needed, space.free);
  const repository = join(folder, "repository");
  const onProgress = (bytes: number) => {
    progress.bytes = Math.min(bytes, row.bytes_total);
  };
  await downloadRepository(hub, { id, revision, token, files: facts.files, folder: repository }, onProgress, signal);
  const converting = { state: "converting", bytes_done: row.bytes_total, conversion_progress: null };
  if (!(await storeRepository.updateRunningPull(row.id, converting))) return false;
  const output = join(folder, "output", row.file);
  const conversion = {
    folder: repository,
    output,
    maxBytes: facts.size + MAX_ADDED_BYTES,
    onProgress: (share: number) => {
      progress.converted = share;
    },
  };
  await converter.convert(conversion, signal).catch((error: unknown) => {
    if (!(error instanceof ConversionFailedError)) throw error;
    throw new PullFailedError(`It could not be converted to a GGUF file: ${error.message}`);
  });
  const sha256 = await checksumOf(output, signal);
  const bytes = await deps.folder.addFile(output, { sha256, file: row.file });
  return completePull(deps, row, { sha256, size: bytes }, signal);
}

/** Returns whether the download has ended, because it was canceled or cannot succeed. */
async function isOver({ storeRepository }: Deps, { id }: PullRow, error: unknown): Promise<boolean> {
  if (error instanceof PullFailedError) return true;
  const row = await storeRepository.findPull(id);
  return row === undefined || row.state === "canceled";
}

const deleteTree = (path: string): Promise<void> => rm(path, { recursive: true, force: true });
