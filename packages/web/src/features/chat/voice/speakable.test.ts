import { expect, test } from "vitest";
import { splitSpeakable, toSpeakable } from "./speakable.ts";

test("an answer is read aloud without code, addresses and marks", () => {
  const answer = [
    "# Sorting",
    "It is **stable**, see [the docs](https://example.com/a_b) or https://example.com.",
    "",
    "```ts",
    "sort(list);",
    "```",
    "- first",
    "2. second `sort`",
    "> quoted",
  ].join("\n");
  expect(toSpeakable(answer)).toBe("Sorting\nIt is stable, see the docs or \nfirst\nsecond sort\nquoted");
});

test("code that does not end is not read aloud", () => {
  expect(toSpeakable("Here:\n```\na\nb")).toBe("Here:");
});

test("a long text is split at the ends of sentences, else between words, else anywhere", () => {
  expect(splitSpeakable("One two. Three four. Five", 12)).toEqual(["One two.", "Three four.", "Five"]);
  expect(splitSpeakable("one two three", 8)).toEqual(["one two", "three"]);
  expect(splitSpeakable("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(splitSpeakable("")).toEqual([]);
});

test("an answer of hundreds of thousands of marks or empty lines does not stop the page", () => {
  const many = 300_000;
  expect(toSpeakable(`${"[".repeat(many)}end`)).toHaveLength(many + 3);
  expect(toSpeakable(`begin${"\n".repeat(many)}end`)).toBe("begin\nend");
  expect(toSpeakable("[](".repeat(many / 3))).toHaveLength(many);
});
