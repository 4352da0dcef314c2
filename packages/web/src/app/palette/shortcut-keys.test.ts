import { describe, expect, test } from "vitest";
import { createShortcutReader, type KeyPress, SEQUENCE_TIMEOUT_MS, type Shortcut } from "./shortcut-keys.ts";

const key = (name: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  typing: false,
  at: 0,
  ...more,
});

test.each<[KeyPress, Shortcut | null]>([
  [key("k", { ctrlKey: true }), { type: "palette" }],
  [key("K", { metaKey: true }), { type: "palette" }],
  [key("k", { ctrlKey: true, typing: true }), { type: "palette" }],
  [key("k", { ctrlKey: true, altKey: true }), null],
  [key("k"), null],
  [key("?"), { type: "help" }],
  [key("?", { typing: true }), null],
  [key("/"), { type: "search" }],
  [key("/", { typing: true }), null],
  [key("/", { ctrlKey: true }), null],
  [key("m"), null],
])("%j: %j", (pressed, expected) => {
  expect(createShortcutReader()(pressed, true)).toEqual(expected);
});

describe("the sequence of g and a letter", () => {
  const second = (more: Partial<KeyPress>, singleKeys = true) => {
    const read = createShortcutReader();
    read(key("g"), singleKeys);
    return read(key("m", more), singleKeys);
  };
  test.each<[Partial<KeyPress>, Shortcut | null]>([
    [{ at: 100 }, { type: "go", to: "/models" }],
    [{ at: SEQUENCE_TIMEOUT_MS }, { type: "go", to: "/models" }],
    [{ at: SEQUENCE_TIMEOUT_MS + 1 }, null],
    [{ at: 100, typing: true }, null],
    [{ at: 100, key: "z" }, null],
    [{ at: 100, key: "__proto__" }, null],
  ])("%j", (more, expected) => {
    expect(second(more)).toEqual(expected);
  });

  test("the sequence of g and a letter ignores single keys when they are switched off, but still opens the palette", () => {
    expect(second({ at: 100 }, false)).toBeNull();
    expect(createShortcutReader()(key("?"), false)).toBeNull();
    expect(createShortcutReader()(key("k", { metaKey: true }), false)).toEqual({ type: "palette" });
  });
});
