/** How many columns of a terminal a text takes. */
export type Measure = (text: string) => number;

/** Right for ASCII only, and there at once. */
export const asciiWidth: Measure = (text) => text.length;

/** Right for every script; what it needs takes a while to load. */
export async function loadWidth(): Promise<Measure> {
  return (await import("string-width")).default;
}
