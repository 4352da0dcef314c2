import type { AnswerParts } from "./answer-parts.ts";

/** An answer in progress. Times are milliseconds since 1970. */
export type LiveAnswer = AnswerParts & { beganAt: number; firstAt: number | null; lastAt: number };

/** Updates are batched: a screen shows no more per second. */
const PAUSE = 40;

/** Answers in progress, kept apart from the tree so that each update re-renders one answer only. */
export function createLiveAnswers() {
  const answers = new Map<string, LiveAnswer>();
  const listeners = new Map<string, Set<() => void>>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const changed = new Set<string>();

  function tell(): void {
    timer = null;
    const ids = [...changed];
    changed.clear();
    for (const id of ids) for (const listener of listeners.get(id) ?? []) listener();
  }

  return {
    get: (id: string): LiveAnswer | null => answers.get(id) ?? null,
    has: (id: string): boolean => answers.has(id),
    set(id: string, answer: LiveAnswer): void {
      answers.set(id, answer);
      changed.add(id);
      if (timer === null) timer = setTimeout(tell, PAUSE);
    },
    end(id: string): void {
      answers.delete(id);
    },
    subscribe(id: string, listener: () => void): () => void {
      const known = listeners.get(id) ?? new Set();
      known.add(listener);
      listeners.set(id, known);
      return () => {
        known.delete(listener);
        if (known.size === 0) listeners.delete(id);
      };
    },
  };
}

/** The object returned by `createLiveAnswers`. */
export type LiveAnswers = ReturnType<typeof createLiveAnswers>;
