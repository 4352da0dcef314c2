import { expect, test } from "vitest";
import { createTokenText } from "./token-text.ts";
import { asToken } from "./tokens.ts";

/** A tokenizer whose tokens are bytes. */
const detokenize = (tokens: readonly number[]) => Buffer.from(tokens).toString("utf8");

function pieces(bytes: readonly number[]): string[] {
  const tokenText = createTokenText(detokenize, []);
  return [...bytes.map((byte) => tokenText.push(asToken(byte))), tokenText.flush()];
}

test("returns a character of several tokens only when it is complete", () => {
  expect(pieces([...Buffer.from("a👋b")])).toEqual(["a", "", "", "", "👋", "b", ""]);
});

test("releases bytes that do not form a character", () => {
  expect(pieces([0xf0, 0x41])).toEqual(["", "\uFFFDA", ""]);
  expect(pieces([0x80, 0x80, 0x80, 0x80]).join("")).toBe("\uFFFD".repeat(4));
});

test("returns one replacement character for a truncated character", () => {
  expect(pieces([0xc3])).toEqual(["", "\uFFFD"]);
});
