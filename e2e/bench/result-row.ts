/** A row of the results: the measured value, the reference in the same run, and the target. */
export type ResultRow = { what: string; measured: string; reference: string; ratio: string; bar: string };

/** Returns the median; NaN for no values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the value that the given share of all values does not exceed; NaN for no values. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
