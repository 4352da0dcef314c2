import { FILE_COMMANDS, SLASH_NAMES } from "./slash-command.ts";

/** What Tab makes of an input, and the candidates that remain when there are several. */
export type InputCompletion = { readonly text: string; readonly candidates: readonly string[] };

/**
 * Completes the name of a command of the conversation, or the file name after one that takes it. `listPaths` returns the paths
 * that begin with a text. Null for other inputs, and when nothing fits.
 */
export async function completeInput(
  text: string,
  listPaths: (start: string) => Promise<readonly string[]>,
): Promise<InputCompletion | null> {
  const [, command, gap = "", start = ""] = /^\/(\w*)(?:(\s+)([^\n]*))?$/.exec(text) ?? [];
  if (command === undefined) return null;
  if (gap === "") {
    const names = SLASH_NAMES.filter((name) => name.startsWith(command.toLowerCase()));
    return toCompletion("/", names, " ");
  }
  if (!FILE_COMMANDS.includes(command.toLowerCase())) return null;
  return toCompletion(`/${command}${gap}`, await listPaths(start), "");
}

/** Returns the input with what all candidates have in common; a single one is complete, and `end` follows it. */
function toCompletion(before: string, candidates: readonly string[], end: string): InputCompletion | null {
  const [first] = candidates;
  if (first === undefined) return null;
  if (candidates.length === 1) return { text: `${before}${first}${end}`, candidates: [] };
  return { text: before + candidates.reduce(commonStart), candidates };
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
