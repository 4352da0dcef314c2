import { useRef, useState } from "react";
import { type Line, lineText } from "../line/line.ts";
import { completeInput } from "./complete-input.ts";

/** What Tab does on a line. */
export type Completion = {
  /** What the line could be completed with; empty unless there are several. */
  readonly candidates: readonly string[];
  /** Completes a line whose cursor is at its end, unless a key is pressed before the candidates are found. */
  complete(line: Line): Promise<void>;
  /** Forgets the candidates, because a key was pressed. */
  reset(): void;
};

/** Returns what completes a line. `listPaths` returns the paths that begin with a text, and `onComplete` receives the text. */
export function useCompletion(
  listPaths: (start: string) => Promise<readonly string[]>,
  onComplete: (text: string) => void,
): Completion {
  const [candidates, setCandidates] = useState<readonly string[]>([]);
  const keyCount = useRef(0);
  return {
    candidates,
    async complete(line) {
      if (line.cursor < line.characters.length) return;
      const startCount = keyCount.current;
      const completion = await completeInput(lineText(line), listPaths);
      if (completion === null || keyCount.current !== startCount) return;
      onComplete(completion.text);
      setCandidates(completion.candidates);
    },
    reset() {
      keyCount.current += 1;
      setCandidates([]);
    },
  };
}
