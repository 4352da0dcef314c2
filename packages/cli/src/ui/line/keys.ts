import type { Key } from "ink";
import type { Edit } from "./line.ts";

/** Returns the edit of a key, as in shells; null for keys that edit nothing. */
export function toEdit(input: string, key: Key): Edit | null {
  const byWord = key.ctrl || key.meta;
  if (key.leftArrow) return { type: byWord ? "wordLeft" : "left" };
  if (key.rightArrow) return { type: byWord ? "wordRight" : "right" };
  if (key.home) return { type: "home" };
  if (key.end) return { type: "end" };
  if (key.backspace) return { type: key.meta ? "cutWord" : "backspace" };
  if (key.delete) return { type: "delete" };
  if (key.ctrl) return controlEdit(input);
  if (key.meta) return metaEdit(input);
  if (key.escape || key.tab || key.upArrow || key.downArrow || key.pageUp || key.pageDown) return null;
  const text = stripControlCharacters(input);
  return text === "" ? null : { type: "insert", text };
}

function controlEdit(input: string): Edit | null {
  switch (input) {
    case "a":
      return { type: "home" };
    case "e":
      return { type: "end" };
    case "b":
      return { type: "left" };
    case "f":
      return { type: "right" };
    case "h":
      return { type: "backspace" };
    case "k":
      return { type: "cutAfter" };
    case "u":
      return { type: "cutBefore" };
    case "w":
      return { type: "cutWord" };
    case "y":
      return { type: "paste" };
    default:
      return null;
  }
}

function metaEdit(input: string): Edit | null {
  switch (input) {
    case "b":
      return { type: "wordLeft" };
    case "f":
      return { type: "wordRight" };
    case "d":
      return { type: "cutWordAfter" };
    default:
      return null;
  }
}

/** Removes control characters from typed or pasted text; tabs and line breaks stay. */
export function stripControlCharacters(input: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is about control characters
  return input.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
