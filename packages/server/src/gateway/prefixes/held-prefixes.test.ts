import { expect, test } from "vitest";
import {
  countHeld,
  createHeldPrefixes,
  invalidate,
  noteAnswered,
  noteCached,
  noteFailed,
  noteSent,
} from "./held-prefixes.ts";

/** The hashes of a prompt of this many blocks that has nothing in common with those of another name. */
const prompt = (name: string, blocks = 10) => Array.from({ length: blocks }, (_, index) => `${name}${index}`);
const usageOf = (cached: number | null) => ({ prompt: 1_000, cached });

/** Sends a prompt, and ends its call with this many of 1,000 tokens from the cache. */
function answer(held: ReturnType<typeof createHeldPrefixes>, hashes: string[], cached: number | null = null): void {
  const sent = noteSent(held, hashes);
  noteCached(held, sent, usageOf(cached));
  noteAnswered(held, sent);
}

test("a backend holds the common beginning of a prompt that was sent to it", () => {
  const held = createHeldPrefixes();
  answer(held, prompt("a"));
  expect(countHeld(held, [...prompt("a", 4), ...prompt("b")])).toBe(4);
  expect(countHeld(held, prompt("b"))).toBe(0);
});

test("a backend that read less from its cache than expected has given up what it used before", () => {
  const held = createHeldPrefixes();
  answer(held, prompt("oldest"));
  answer(held, prompt("old"));
  answer(held, prompt("new"));
  answer(held, prompt("old"), 0);
  expect(countHeld(held, prompt("oldest"))).toBe(0);
  expect(countHeld(held, prompt("old"))).toBe(10);
  expect(countHeld(held, prompt("new"))).toBe(10);
});

test.each([
  ["all of it", 1_000],
  ["nearly all of it", 850],
  ["an unknown part of it", null],
])("nothing is forgotten when a backend read %s from its cache", (_part, cached) => {
  const held = createHeldPrefixes();
  answer(held, prompt("old"));
  answer(held, prompt("new"));
  answer(held, prompt("new"), cached);
  expect(countHeld(held, prompt("old"))).toBe(10);
});

test("nothing is forgotten when a prompt is sent again before the first answer, whose cache is not filled yet", () => {
  const held = createHeldPrefixes();
  answer(held, prompt("old"));
  const first = noteSent(held, prompt("new"));
  answer(held, prompt("new"), 0);
  noteAnswered(held, first);
  expect(countHeld(held, prompt("old"))).toBe(10);
});

test("the number of blocks is limited: those used longest ago are forgotten, the end of a prompt first", () => {
  const held = createHeldPrefixes();
  answer(held, prompt("first", 10));
  answer(held, prompt("second", 32_768 - 4));
  expect(held.blocks.size).toBe(32_768);
  expect(countHeld(held, prompt("first", 10))).toBe(4);
});

test("a backend that has not answered holds no more of a prompt than before", () => {
  const held = createHeldPrefixes();
  answer(held, prompt("a", 4));
  const longer = [...prompt("a", 4), ...prompt("b")];
  noteFailed(held, noteSent(held, longer), longer);
  expect(countHeld(held, longer)).toBe(4);
});

test("a backend that was started anew holds nothing", () => {
  const held = createHeldPrefixes();
  answer(held, prompt("a"));
  invalidate(held);
  expect(countHeld(held, prompt("a"))).toBe(0);
});
