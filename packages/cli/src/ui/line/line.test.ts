import type { Key } from "ink";
import { describe, expect, test } from "vitest";
import { splitKeys, stripControlCharacters, toEdit } from "./keys.ts";
import { type Edit, EMPTY_LINE, editLine, type Line, lineText } from "./line.ts";
import { lastRows, rowsAroundCursor } from "./visible-rows.ts";

const typed = (text: string): Line => editLine(EMPTY_LINE, { type: "insert", text });
const after = (text: string, ...types: Exclude<Edit["type"], "insert" | "set">[]) =>
  types.reduce<Line>((line, type) => editLine(line, { type }), typed(text));
/** The text with the cursor as `|`. */
const shown = ({ characters, cursor }: Line) =>
  `${characters.slice(0, cursor).join("")}|${characters.slice(cursor).join("")}`;

describe("editLine", () => {
  test.each<[string, Line, string]>([
    [
      "moves to the beginning of a word",
      after("hello wonderful world", "wordLeft", "wordLeft"),
      "hello |wonderful world",
    ],
    ["moves to the end of a word", after("hello wonderful world", "home", "wordRight"), "hello| wonderful world"],
    ["cuts the word before", after("hello world", "cutWord"), "hello |"],
    ["cuts the word after", after("hello world", "home", "cutWordAfter"), "| world"],
    ["pastes what was cut", after("hello world", "cutWord", "home", "paste"), "world|hello "],
    ["pastes nothing when nothing was cut", after("hello", "paste"), "hello|"],
  ])("%s", (_, line, expected) => {
    expect(shown(line)).toBe(expected);
  });
});

const key = (fields: Partial<Key>) => fields as Key;

test.each<[string, string, Partial<Key>, string | null]>([
  ["Ctrl-left", "", { ctrl: true, leftArrow: true }, "wordLeft"],
  ["Alt-right", "", { meta: true, rightArrow: true }, "wordRight"],
  ["Alt-b", "b", { meta: true }, "wordLeft"],
  ["Alt-f", "f", { meta: true }, "wordRight"],
  ["Alt-d", "d", { meta: true }, "cutWordAfter"],
  ["Alt-backspace", "", { meta: true, backspace: true }, "cutWord"],
  ["Ctrl-y", "y", { ctrl: true }, "paste"],
  ["Alt-q", "q", { meta: true }, null],
])("%s edits as in shells", (_, input, fields, type) => {
  expect(toEdit(input, key(fields))?.type ?? null).toBe(type);
});

test.each<[string, string, boolean, [string, string?][]]>([
  ["control keys with text between them", "ab\u0017c\u0001", false, [["ab"], ["w", "ctrl"], ["c"], ["a", "ctrl"]]],
  ["Backspace", "ab\u007f", false, [["ab"], ["", "backspace"]]],
  ["lines and tabs of a paste not at all", "a\r\tb\n", false, [["a\r\tb\n"]]],
  ["Enter on a single line", "a\r\nb\n", true, [["a"], ["", "return"], ["b"], ["", "return"]]],
  ["a line feed alone on a single line, which is Enter", "\n", true, [["", "return"]]],
  ["nothing of a single letter", "a", true, [["a"]]],
])("splitKeys separates %s", (_, input, isSingleLine, expected) => {
  const keys = splitKeys(input, key({}), isSingleLine);
  expect(keys).toEqual(expected.map(([text, flag]) => [text, flag === undefined ? {} : { [flag]: true }]));
});

test("pasted text keeps its tabs and line breaks and loses other control characters", () => {
  expect(stripControlCharacters("all:\r\n\tgo build\u001b[31m\u0000")).toBe("all:\n\tgo build[31m");
});

test("lastRows returns the end of a text", () => {
  expect(lastRows("a\nb\nc", 2)).toBe("b\nc");
  expect(lastRows("a", 5)).toBe("a");
});

test.each<[string, Line, number, string]>([
  ["the whole line when it fits", typed("abc"), 2, "abc"],
  ["the rows at the end", typed("aaaabbbbcccc"), 2, "bbbbcccc"],
  ["the rows around the cursor", after("aaaabbbbcccc", "home"), 2, "aaaabbbb"],
  ["rows that end in a line break", typed("a\nb\nc\nd"), 2, "c\nd"],
])("rowsAroundCursor returns %s", (_, line, rows, expected) => {
  expect(lineText(rowsAroundCursor(line, 4, rows))).toBe(expected);
});
