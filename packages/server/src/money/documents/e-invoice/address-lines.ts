const MAX_LINES = 3;

/** Returns an address in at most three lines, as the standards have them: the third one holds all that follow. */
export function toThreeLines(lines: readonly string[]): string[] {
  const rest = lines.slice(MAX_LINES - 1).join(", ");
  return [...lines.slice(0, MAX_LINES - 1), ...(rest === "" ? [] : [rest])];
}
