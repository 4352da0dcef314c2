/**
 * A number with a limit. This process counts it in memory, and counts no further than the part of the limit that it has
 * borrowed from a lender, who never lends more than the limit to all processes together. Without other processes, the part
 * is all of it.
 */
export type Counter = {
  /** What this process has counted. */
  used: number;
  /** How far this process may count. It is reduced before the lender's record is, and increased after it. */
  borrowed: number;
};

/** Returns the borrowed part that is not used. */
export const unusedOf = ({ used, borrowed }: Counter): number => Math.max(0, borrowed - used);

/** Runs a write of a lender's record when the last one has ended. */
export function runAfterLastWrite<T>(record: { lastWrite: Promise<void> }, run: () => Promise<T>): Promise<T> {
  const result = record.lastWrite.then(run);
  record.lastWrite = result.then(
    () => {},
    () => {},
  );
  return result;
}

/** A limit of which this process has borrowed a part. */
export type BorrowedLimit = {
  /** Returns idle parts; must be called every 2 s. */
  tick(): void;
  /** Returns all parts. Never throws: parts that cannot be returned expire. */
  stop(): Promise<void>;
};
