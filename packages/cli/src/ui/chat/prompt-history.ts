/** The prompts that can be recalled, and which one is on the line. */
export type PromptHistory = {
  /** Oldest first. */
  readonly prompts: readonly string[];
  /** Index of the recalled prompt; the number of prompts for the new one. */
  readonly position: number;
  /** The text of the new prompt so far. */
  readonly draft: string;
};

/** Creates a history that is at the new prompt. */
export const createHistory = (prompts: readonly string[]): PromptHistory => ({
  prompts,
  position: prompts.length,
  draft: "",
});

/** Returns the history one step back or forth, and the text for the line. `current` is the text of the line now. */
export function recallPrompt(
  history: PromptHistory,
  step: -1 | 1,
  current: string,
): { readonly history: PromptHistory; readonly text: string } {
  const { prompts, position } = history;
  const draft = position === prompts.length ? current : history.draft;
  const next = Math.max(0, Math.min(prompts.length, position + step));
  return { history: { prompts, position: next, draft }, text: prompts[next] ?? draft };
}

/** Returns the last prompt before `position` that contains a text; undefined when there is none. */
export function searchPrompts(prompts: readonly string[], text: string, position: number): number | undefined {
  const found = prompts.slice(0, position).findLastIndex((prompt) => prompt.toLowerCase().includes(text.toLowerCase()));
  return found < 0 ? undefined : found;
}
