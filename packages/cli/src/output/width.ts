/** Returns the number of terminal columns that a text takes. */
export type Measure = (text: string) => number;

/** Measures ASCII text; available without loading anything. */
export const asciiWidth: Measure = (text) => text.length;

/** Loads a function that measures text in every script. Loading takes a while. */
export async function loadWidth(): Promise<Measure> {
  return (await import("string-width")).default;
}
