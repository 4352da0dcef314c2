import type { StoredModelRow } from "../rows/model-rows.ts";

/** A stored file, when its model was last called, and whether it may be deleted to free space. */
export type QuotaFile = Pick<StoredModelRow, "model_id" | "sha256" | "size" | "projector_bytes"> & {
  readonly lastUsedAt: Date;
  readonly isDeletable: boolean;
};

type StoredBlob<F extends QuotaFile> = { readonly size: number; readonly files: readonly F[] };

/**
 * Returns the files to delete so that a new one of `size` bytes fits into `maxBytes`, those of the least recently used
 * models first. Null if deleting all that may be deleted frees too little. Files with equal content are on the disk once,
 * and count once.
 */
export function chooseDeletions<F extends QuotaFile>(files: readonly F[], size: number, maxBytes: number): F[] | null {
  const blobs = [...Map.groupBy(files, ({ sha256 }) => sha256).values()].map(toBlob);
  let excess = blobs.reduce((sum, blob) => sum + blob.size, size) - maxBytes;
  const chosen: F[] = [];
  for (const blob of blobs.filter(isDeletable).sort((a, b) => lastUse(a) - lastUse(b))) {
    if (excess <= 0) break;
    excess -= blob.size;
    chosen.push(...blob.files);
  }
  return excess <= 0 ? chosen : null;
}

function toBlob<F extends QuotaFile>(files: readonly F[]): StoredBlob<F> {
  return { size: Math.max(...files.map(({ size, projector_bytes }) => size + projector_bytes)), files };
}

const isDeletable = ({ files }: StoredBlob<QuotaFile>): boolean => files.every((file) => file.isDeletable);
const lastUse = ({ files }: StoredBlob<QuotaFile>): number =>
  Math.max(...files.map(({ lastUsedAt }) => lastUsedAt.getTime()));
