import { expect, test } from "vitest";
import { cutText } from "./cut-text.ts";

test.each([
  ["a text that is short enough", "Ada", 64, "Ada"],
  ["a text of just the limit", "Ada", 3, "Ada"],
  ["a text that is too long", "Ada Lovelace", 3, "Ada"],
  ["nothing", "", 3, ""],
  ["a limit of nothing", "Ada", 0, ""],
  ["a character of two units that fits", "ab😀c", 4, "ab😀"],
  ["a character of two units that would be halved", "ab😀c", 3, "ab"],
  ["only a character that would be halved", "😀", 1, ""],
  ["a character of three units at the limit", "日本語", 2, "日本"],
  ["a first half without a second one", "ab\ud83dcd", 4, "ab\ufffdc"],
  ["a second half without a first one", "ab\ude00cd", 3, "ab\ufffd"],
  ["a first half at the end", "ab\ud83d", 3, "ab\ufffd"],
])("cutting %s gives whole characters", (_what, text, limit, expected) => {
  const cut = cutText(text, limit);
  expect(cut).toBe(expected);
  expect(cut.isWellFormed()).toBe(true);
});

test("each place at which a text may be cut leaves a beginning of it", () => {
  const text = "Zoë 👩‍🚀 in 東京, 🇯🇵";
  for (let limit = 0; limit <= text.length + 1; limit++) {
    const cut = cutText(text, limit);
    expect(text.startsWith(cut)).toBe(true);
    expect(cut.length).toBeLessThanOrEqual(limit);
    expect(cut.length).toBeGreaterThanOrEqual(Math.min(limit, text.length) - 1);
  }
});
