import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { createWordHash, excerptOf, hashesOf, hashesOfQuery, matches, wordsOf } from "./words.ts";

const hash = createWordHash(new Uint8Array(32).fill(7));

describe("the words of a text", () => {
  test.each([
    ["Which sort, if any, is STABLE?", ["which", "sort", "if", "any", "is", "stable"]],
    ["ﬁnd Zürich in ２０２６", ["find", "zürich", "in", "2026"]],
    ["東京へ行く", ["東京", "へ", "行く"]],
    ["…?! \u0000", []],
  ])("of %j are compared in lower case, without punctuation", (text, words) => {
    expect([...wordsOf(text)]).toEqual(words);
  });

  test("a very long text is read to its 200,000th letter", () => {
    expect(wordsOf(`${"x ".repeat(100_000)}needle`).has("needle")).toBe(false);
  });
});

test("of a text with very many words the first 4,000 are read", () => {
  const words = [...wordsOf(Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(" "))];
  expect([words.length, words.at(-1)]).toEqual([4_000, "w3999"]);
});

describe("the hashes of a text", () => {
  test("every beginning of at least 3 letters of a word is found by its hash, and every whole word", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zäöü]{1,12}$/), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.nat(),
        (words, at, length) => {
          const word = words[at % words.length] ?? "";
          const beginning = word.length < 3 ? word : word.slice(0, 3 + (length % (word.length - 2)));
          const text = words.join(" ");
          const hashes = new Set(hashesOf(text, hash));
          expect(hashesOfQuery([beginning], hash).every((one) => hashes.has(one))).toBe(true);
          expect(matches(text, [beginning])).toBe(true);
        },
      ),
    );
  });

  test("another organization's key gives other hashes, which fit into a column of 8 bytes", () => {
    const other = createWordHash(new Uint8Array(32).fill(8));
    const [own, others] = [hashesOf("Zanzibar in March", hash), hashesOf("Zanzibar in March", other)];
    expect(own.filter((one) => others.includes(one))).toEqual([]);
    for (const one of own) expect(BigInt.asIntN(64, BigInt(one)).toString()).toBe(one);
  });
});

test.each([
  ["stable sorts", ["stab"], true],
  ["stable sorts", ["sorts", "stable"], true],
  ["stable sorts", ["table"], false],
  ["stabs", ["stabilize"], false],
  ["is it so", ["i"], false],
])("in %j the words %j begin words: %s", (text, words, expected) => {
  expect(matches(text, words)).toBe(expected);
});

test.each([
  ["short text", ["text"], "short text"],
  [`${"a ".repeat(50)}needle ${"b ".repeat(60)}`, ["needle"], /^…(a )+needle (b )+b…$/],
  ["nothing", ["else"], ""],
])("the excerpt of %j around %j shows where it is", (text, words, expected) => {
  expect(excerptOf(text, words)).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
});
