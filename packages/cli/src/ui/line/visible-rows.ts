import stringWidth from "string-width";
import type { Line } from "./line.ts";

/** Returns the last rows of a text that is wrapped already, so that it fits on the screen. */
export function lastRows(text: string, rows: number): string {
  return text.split("\n").slice(-Math.max(1, rows)).join("\n");
}

/** Returns the part of a line whose rows are around the cursor, so that a long input fits on the screen. */
export function rowsAroundCursor(line: Line, columns: number, rows: number): Line {
  const rowOf = toRows(line.characters, Math.max(1, columns));
  const cursorRow = rowOf[line.cursor] ?? rowOf.at(-1) ?? 0;
  const first = Math.max(0, cursorRow - Math.max(1, rows) + 1);
  const isVisible = (_: unknown, index: number) =>
    (rowOf[index] ?? 0) >= first && (rowOf[index] ?? 0) < first + Math.max(1, rows);
  const skipped = rowOf.filter((row) => row < first).length;
  return {
    ...line,
    characters: line.characters.filter(isVisible),
    cursor: line.cursor - Math.min(skipped, line.cursor),
  };
}

/** Returns the row of each character. */
function toRows(characters: readonly string[], columns: number): number[] {
  let row = 0;
  let width = 0;
  return characters.map((character) => {
    const own = stringWidth(character);
    if (width + own > columns) {
      row += 1;
      width = 0;
    }
    width += own;
    const at = row;
    if (character === "\n") {
      row += 1;
      width = 0;
    }
    return at;
  });
}
