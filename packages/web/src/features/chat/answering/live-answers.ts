import type { AnswerContent } from "./answer-accumulator.ts";

/** An answer in progress. Times are milliseconds since 1970. */
export type LiveAnswer = AnswerContent & { startedAt: number; firstTokenAt: number | null; updatedAt: number };

/** Updates are batched: a screen shows no more per second. */
const NOTIFY_INTERVAL_MS = 40;

/** Answers in progress, kept apart from the tree so that each update re-renders one answer only. */
export function createLiveAnswers() {
  const answers = new Map<string, LiveAnswer>();
  const listeners = new Map<string, Set<() => void>>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const changedIds = new Set<string>();

  function notify(): void {
    timer = null;
    const ids = [...changedIds];
    changedIds.clear();
    for (const id of ids) for (const listener of listeners.get(id) ?? []) listener();
  }

  return {
    get: (id: string): LiveAnswer | null => answers.get(id) ?? null,
    has: (id: string): boolean => answers.has(id),
    set(id: string, answer: LiveAnswer): void {
      answers.set(id, answer);
      changedIds.add(id);
      if (timer === null) timer = setTimeout(notify, NOTIFY_INTERVAL_MS);
    },
    remove(id: string): void {
      answers.delete(id);
    },
    subscribe(id: string, listener: () => void): () => void {
      const answerListeners = listeners.get(id) ?? new Set();
      answerListeners.add(listener);
      listeners.set(id, answerListeners);
      return () => {
        answerListeners.delete(listener);
        if (answerListeners.size === 0) listeners.delete(id);
      };
    },
  };
}

/** The object returned by `createLiveAnswers`. */
export type LiveAnswers = ReturnType<typeof createLiveAnswers>;
