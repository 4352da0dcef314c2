import { expect, test } from "vitest";
import { isTyping, takesKeys } from "./typing.ts";

test.each([
  ["<input>", true],
  ['<input type="search">', true],
  ['<input type="checkbox">', false],
  ["<textarea></textarea>", true],
  ["<select></select>", true],
  ['<div contenteditable="true"></div>', true],
  ["<button></button>", false],
  ["<div></div>", false],
  ['<button role="combobox"></button>', true],
  ['<ul role="listbox"></ul>', true],
])("typing in %s is detected: %s", (html, typing) => {
  document.body.innerHTML = html;
  expect(isTyping(document.body.firstElementChild)).toBe(typing);
});

test.each([
  ["an open dialog", '<div role="dialog"><button></button></div>', true],
  ["an open menu", '<div role="menu"></div>', true],
  ["a field that is there to be typed into", "<textarea data-typing-target></textarea>", true],
  ["a field without the focus", "<input>", false],
])("letters typed on a page with %s belong to it: %s %s", (_name, html, expected) => {
  document.body.innerHTML = html;
  expect(takesKeys(document.body)).toBe(expected);
});
