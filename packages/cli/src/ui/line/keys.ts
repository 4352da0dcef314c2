import type { Key } from "ink";
import type { Edit } from "./line.ts";

/** A key: its text, and what kind it is. */
export type KeyPress = readonly [input: string, key: Key];

/** Control characters that are keys. Tabs and line breaks may be part of a paste. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is about control characters
const CONTROL_KEY = /([\u0001-\u0008\u000b\u000c\u000e-\u001a\u007f])/;
const LINE_BREAK = /(\r\n?|\n)/;

/**
 * Returns the keys of an input. Those that are pressed fast, or while the program is busy, arrive together as one text. On a
 * single line, each line break is Enter.
 */
export function splitKeys(input: string, key: Key, isSingleLine: boolean): readonly KeyPress[] {
  if (input === "" || key.ctrl || key.meta || key.escape || key.return) return [[input, key]];
  const lines = isSingleLine ? input.split(LINE_BREAK) : [input];
  return lines
    .flatMap((line) => line.split(CONTROL_KEY))
    .filter((part) => part !== "")
    .map((part): KeyPress => {
      if (isSingleLine && LINE_BREAK.test(part)) return ["", { ...key, return: true }];
      if (part === "\u007f") return ["", { ...key, backspace: true }];
      if (CONTROL_KEY.test(part)) return [toLetter(part), { ...key, ctrl: true }];
      return [part, key];
    });
}

/** Returns the letter that is pressed with Ctrl for a control character. */
const toLetter = (control: string): string => String.fromCharCode(control.charCodeAt(0) + 96);

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
