/** The text that a stop filter released, and whether a stop text was found. */
export type FilteredText = { text: string; stopped: boolean };

/** Passes text on up to the first stop text, holding back what may turn out to be the beginning of one. */
export type StopFilter = {
  /** Returns the text that cannot belong to a stop text. Once `stopped`, all further text is discarded. */
  push(text: string): FilteredText;
  /** Returns the text that was held back. Call it after the last `push`. */
  flush(): string;
};

/** Creates a stop filter; with `keepStopText` the stop text itself is passed on too. Empty stop texts are ignored. */
export function createStopFilter(stopTexts: readonly string[], keepStopText = false): StopFilter {
  const stops = stopTexts.filter((stop) => stop !== "");
  let heldText = "";
  let stopped = false;
  return {
    push(text) {
      if (stopped) return { text: "", stopped };
      heldText += text;
      const match = firstMatch(heldText, stops);
      if (match) {
        const end = keepStopText ? match.at + match.stop.length : match.at;
        const released = heldText.slice(0, end);
        heldText = "";
        stopped = true;
        return { text: released, stopped };
      }
      const safeLength = heldText.length - partialStopLength(heldText, stops);
      const released = heldText.slice(0, safeLength);
      heldText = heldText.slice(safeLength);
      return { text: released, stopped };
    },
    flush() {
      const rest = heldText;
      heldText = "";
      return rest;
    },
  };
}

function firstMatch(text: string, stops: readonly string[]): { at: number; stop: string } | undefined {
  let first: { at: number; stop: string } | undefined;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at >= 0 && (!first || at < first.at)) first = { at, stop };
  }
  return first;
}

/** Length of the longest end of `text` with which some stop text begins. */
function partialStopLength(text: string, stops: readonly string[]): number {
  const longest = Math.max(0, ...stops.map((stop) => stop.length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (stops.some((stop) => stop.startsWith(end))) return length;
  }
  return 0;
}
