/** Returns the number of terminal columns that a text takes. */
export type MeasureWidth = (text: string) => number;

/** Measures ASCII text; available without loading anything. */
export const measureAsciiWidth: MeasureWidth = (text) => text.length;

/** Loads a function that measures text in every script. Loading takes a while. */
export async function loadMeasureWidth(): Promise<MeasureWidth> {
  return (await import("string-width")).default;
}
