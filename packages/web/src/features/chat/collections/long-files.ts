import type { Turn } from "../conversation/tree.ts";
import type { Attachment } from "../conversation/types.ts";

/** How many texts a search takes at once. */
const MAX_SEARCHED_FILES = 8;
/** About how many tokens a passage has with its name, and how many passages of files go with a question at most. */
const PASSAGE_TOKENS = 330;
const MAX_FILE_PASSAGES = 12;
/** How many passages a search in collections returns. */
export const COLLECTION_PASSAGES = 8;

/** Whether only passages of a file go with questions. */
export const isSearched = ({ passages }: Attachment): boolean => typeof passages === "number";

/**
 * Returns the ids of the texts of which only passages are sent, so that all attachments take about `maxTokens` together: the longest ones.
 * Empty if all fit. `estimate` returns the tokens of an attachment that is sent whole.
 */
export function chooseLongFiles(
  attachments: readonly Attachment[],
  maxTokens: number,
  estimate: (attachment: Attachment) => number,
): ReadonlySet<string> {
  const chosen = new Set<string>();
  const longest = attachments.filter(({ kind }) => kind === "text").sort((a, b) => estimate(b) - estimate(a));
  let total = attachments.reduce((sum, one) => sum + estimate(one), 0);
  for (const file of longest) {
    if (total <= maxTokens) break;
    chosen.add(file.id);
    total -= estimate(file);
  }
  return chosen;
}

/** Returns the files of earlier questions of which passages go with the next one, the newest last. */
export const listSearchedFiles = (turns: readonly Turn[]): Attachment[] =>
  turns.flatMap(({ question }) => question.attachments.filter(isSearched));

/** Returns those of the files that one search takes: the newest. */
export const takeSearchable = (files: readonly Attachment[]): readonly Attachment[] => files.slice(-MAX_SEARCHED_FILES);

/** Returns how many passages of files go with a question, so that they take a quarter of the context at most. */
export const countFilePassages = (contextTokens: number | null): number =>
  contextTokens === null
    ? MAX_FILE_PASSAGES
    : Math.min(MAX_FILE_PASSAGES, Math.max(1, Math.floor(contextTokens / 4 / PASSAGE_TOKENS)));

/** Estimates the tokens of passages. */
export const estimatePassageTokens = (count: number): number => count * PASSAGE_TOKENS;
