import { describe, expect, test } from "vitest";
import { createKeyReader, isTyping, type Key, SEQUENCE, type Wish } from "./keys.ts";

const key = (name: string, more: Partial<Key> = {}): Key => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  typing: false,
  at: 0,
  ...more,
});

test.each<[Key, Wish | null]>([
  [key("k", { ctrlKey: true }), { wish: "palette" }],
  [key("K", { metaKey: true }), { wish: "palette" }],
  [key("k", { ctrlKey: true, typing: true }), { wish: "palette" }],
  [key("k", { ctrlKey: true, altKey: true }), null],
  [key("k"), null],
  [key("?"), { wish: "help" }],
  [key("?", { typing: true }), null],
  [key("/"), { wish: "search" }],
  [key("/", { typing: true }), null],
  [key("/", { ctrlKey: true }), null],
  [key("m"), null],
])("%j: %j", (pressed, wish) => {
  expect(createKeyReader()(pressed, true)).toEqual(wish);
});

describe("the sequence of g and a letter", () => {
  const second = (more: Partial<Key>, singleKeys = true) => {
    const read = createKeyReader();
    read(key("g"), singleKeys);
    return read(key("m", more), singleKeys);
  };
  test.each<[Partial<Key>, Wish | null]>([
    [{ at: 100 }, { wish: "go", to: "/models" }],
    [{ at: SEQUENCE }, { wish: "go", to: "/models" }],
    [{ at: SEQUENCE + 1 }, null],
    [{ at: 100, typing: true }, null],
    [{ at: 100, key: "z" }, null],
    [{ at: 100, key: "__proto__" }, null],
  ])("%j", (more, wish) => {
    expect(second(more)).toEqual(wish);
  });

  test("ignores single keys when they are switched off, but still opens the palette", () => {
    expect(second({ at: 100 }, false)).toBeNull();
    expect(createKeyReader()(key("?"), false)).toBeNull();
    expect(createKeyReader()(key("k", { metaKey: true }), false)).toEqual({ wish: "palette" });
  });
});

test.each([
  ["<input>", true],
  ['<input type="search">', true],
  ['<input type="checkbox">', false],
  ["<textarea></textarea>", true],
  ["<select></select>", true],
  ['<div contenteditable="true"></div>', true],
  ["<button></button>", false],
  ["<div></div>", false],
])("typing in %s is detected: %s", (html, typing) => {
  document.body.innerHTML = html;
  expect(isTyping(document.body.firstElementChild)).toBe(typing);
});
