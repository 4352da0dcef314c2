/** A line of input: its text and the cursor position, both in grapheme clusters, and the text that was cut last. */
export type Line = { readonly characters: readonly string[]; readonly cursor: number; readonly cut: readonly string[] };

/** A change of a line. */
export type Edit =
  | { readonly type: "insert"; readonly text: string }
  | { readonly type: "set"; readonly text: string }
  | {
      readonly type:
        | "left"
        | "right"
        | "wordLeft"
        | "wordRight"
        | "home"
        | "end"
        | "backspace"
        | "delete"
        | "cutBefore"
        | "cutAfter"
        | "cutWord"
        | "cutWordAfter"
        | "paste";
    };

/** The empty line. */
export const EMPTY_LINE: Line = { characters: [], cursor: 0, cut: [] };

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const splitGraphemes = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Returns the text of a line. */
export const lineText = (line: Line): string => line.characters.join("");

/** Returns the line after an edit. */
export function editLine(line: Line, edit: Edit): Line {
  const { characters, cursor, cut } = line;
  const before = characters.slice(0, cursor);
  const after = characters.slice(cursor);
  const insert = (added: readonly string[]) => ({
    characters: [...before, ...added, ...after],
    cursor: cursor + added.length,
    cut,
  });
  const moveTo = (position: number) => ({ characters, cursor: position, cut });
  const keep = (start: number, end: number) => ({
    characters: [...characters.slice(0, start), ...characters.slice(end)],
    cursor: start,
    cut: characters.slice(start, end),
  });
  switch (edit.type) {
    case "insert":
      return insert(splitGraphemes(edit.text));
    case "paste":
      return insert(cut);
    case "set": {
      const all = splitGraphemes(edit.text);
      return { characters: all, cursor: all.length, cut };
    }
    case "left":
      return moveTo(Math.max(0, cursor - 1));
    case "right":
      return moveTo(Math.min(characters.length, cursor + 1));
    case "wordLeft":
      return moveTo(findWordStart(before));
    case "wordRight":
      return moveTo(cursor + findWordEnd(after));
    case "home":
      return moveTo(0);
    case "end":
      return moveTo(characters.length);
    case "backspace":
      return { characters: [...before.slice(0, -1), ...after], cursor: Math.max(0, cursor - 1), cut };
    case "delete":
      return { characters: [...before, ...after.slice(1)], cursor, cut };
    case "cutBefore":
      return keep(0, cursor);
    case "cutAfter":
      return keep(cursor, characters.length);
    case "cutWord":
      return keep(findWordStart(before), cursor);
    case "cutWordAfter":
      return keep(cursor, cursor + findWordEnd(after));
  }
}

const isSpace = (character: string | undefined): boolean => character !== undefined && /^\s/.test(character);

/** Returns where the last word begins. */
function findWordStart(characters: readonly string[]): number {
  let at = characters.length;
  while (isSpace(characters[at - 1])) at -= 1;
  while (at > 0 && !isSpace(characters[at - 1])) at -= 1;
  return at;
}

/** Returns where the first word ends. */
function findWordEnd(characters: readonly string[]): number {
  let at = 0;
  while (isSpace(characters[at])) at += 1;
  while (at < characters.length && !isSpace(characters[at])) at += 1;
  return at;
}
