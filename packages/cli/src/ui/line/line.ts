/** A line of input: its text and the cursor position, both in grapheme clusters. */
export type Line = { readonly letters: readonly string[]; readonly cursor: number };

/** A change of a line. */
export type Edit =
  | { readonly type: "insert"; readonly text: string }
  | { readonly type: "set"; readonly text: string }
  | {
      readonly type: "left" | "right" | "home" | "end" | "backspace" | "delete" | "cutBefore" | "cutAfter" | "cutWord";
    };

/** The empty line. */
export const EMPTY: Line = { letters: [], cursor: 0 };

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const split = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Returns the text of a line. */
export const textOf = (line: Line): string => line.letters.join("");

/** Returns the line after an edit. */
export function editLine(line: Line, edit: Edit): Line {
  const { letters, cursor } = line;
  const before = letters.slice(0, cursor);
  const after = letters.slice(cursor);
  switch (edit.type) {
    case "insert": {
      const added = split(edit.text);
      return { letters: [...before, ...added, ...after], cursor: cursor + added.length };
    }
    case "set": {
      const all = split(edit.text);
      return { letters: all, cursor: all.length };
    }
    case "left":
      return { letters, cursor: Math.max(0, cursor - 1) };
    case "right":
      return { letters, cursor: Math.min(letters.length, cursor + 1) };
    case "home":
      return { letters, cursor: 0 };
    case "end":
      return { letters, cursor: letters.length };
    case "backspace":
      return { letters: [...before.slice(0, -1), ...after], cursor: Math.max(0, cursor - 1) };
    case "delete":
      return { letters: [...before, ...after.slice(1)], cursor };
    case "cutBefore":
      return { letters: after, cursor: 0 };
    case "cutAfter":
      return { letters: before, cursor };
    case "cutWord": {
      const rest = split(before.join("").replace(/\S+\s*$/, ""));
      return { letters: [...rest, ...after], cursor: rest.length };
    }
  }
}
