/** A line of input: its text and the cursor position, both in grapheme clusters. */
export type Line = { readonly characters: readonly string[]; readonly cursor: number };

/** A change of a line. */
export type Edit =
  | { readonly type: "insert"; readonly text: string }
  | { readonly type: "set"; readonly text: string }
  | {
      readonly type: "left" | "right" | "home" | "end" | "backspace" | "delete" | "cutBefore" | "cutAfter" | "cutWord";
    };

/** The empty line. */
export const EMPTY_LINE: Line = { characters: [], cursor: 0 };

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const splitGraphemes = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Returns the text of a line. */
export const lineText = (line: Line): string => line.characters.join("");

/** Returns the line after an edit. */
export function editLine(line: Line, edit: Edit): Line {
  const { characters, cursor } = line;
  const before = characters.slice(0, cursor);
  const after = characters.slice(cursor);
  switch (edit.type) {
    case "insert": {
      const added = splitGraphemes(edit.text);
      return { characters: [...before, ...added, ...after], cursor: cursor + added.length };
    }
    case "set": {
      const all = splitGraphemes(edit.text);
      return { characters: all, cursor: all.length };
    }
    case "left":
      return { characters, cursor: Math.max(0, cursor - 1) };
    case "right":
      return { characters, cursor: Math.min(characters.length, cursor + 1) };
    case "home":
      return { characters, cursor: 0 };
    case "end":
      return { characters, cursor: characters.length };
    case "backspace":
      return { characters: [...before.slice(0, -1), ...after], cursor: Math.max(0, cursor - 1) };
    case "delete":
      return { characters: [...before, ...after.slice(1)], cursor };
    case "cutBefore":
      return { characters: after, cursor: 0 };
    case "cutAfter":
      return { characters: before, cursor };
    case "cutWord": {
      const rest = splitGraphemes(before.join("").replace(/\S+\s*$/, ""));
      return { characters: [...rest, ...after], cursor: rest.length };
    }
  }
}
