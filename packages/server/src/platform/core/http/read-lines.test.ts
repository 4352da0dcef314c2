import { expect, test } from "vitest";
import { readLines } from "./read-lines.ts";

async function* bytesOf(parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? Buffer.from(part) : part;
}

async function linesOf(parts: readonly (string | Uint8Array)[], maxLength = 100): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(bytesOf(parts), maxLength)) lines.push(line);
  return lines;
}

test.each([
  ["a body of one part", ["one\ntwo\n"], ["one", "two"]],
  ["a last line without an end", ["one\ntw", "o"], ["one", "two"]],
  ["an empty line", ["one\n\ntwo"], ["one", "", "two"]],
  ["CRLF and CR", ["one\r\ntwo\rthree\n"], ["one", "two", "three"]],
  ["a CRLF that is split between parts", ["one\r", "\ntwo"], ["one", "two"]],
  ["a body without a byte", [], []],
])("lines are read of %s", async (_what, parts, expected) => {
  expect(await linesOf(parts)).toEqual(expected);
});

test("a character whose bytes are split between parts is read whole", async () => {
  const bytes = Buffer.from("a€b\n");
  expect(await linesOf([bytes.subarray(0, 2), bytes.subarray(2)])).toEqual(["a€b"]);
});

test("of a line that is longer than the limit, only the beginning is read, and the next line whole", async () => {
  expect(await linesOf(["12345", "67890", "12345\nnext"], 8)).toEqual(["12345678", "next"]);
});

test("an error of the body is thrown after the lines before it", async () => {
  async function* broken() {
    yield Buffer.from("one\ntwo");
    throw new Error("The connection broke.");
  }
  const lines: string[] = [];
  const reading = (async () => {
    for await (const line of readLines(broken(), 100)) lines.push(line);
  })();
  await expect(reading).rejects.toThrow("The connection broke.");
  expect(lines).toEqual(["one"]);
});
