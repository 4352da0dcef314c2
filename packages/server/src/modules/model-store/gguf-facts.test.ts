import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { factsOf, ggufFacts } from "./gguf-facts.ts";

const HEAD = {
  "general.architecture": "llama",
  "llama.block_count": 2,
  "llama.embedding_length": 64,
  "llama.attention.head_count": 4,
  "llama.attention.head_count_kv": 2,
  "llama.context_length": 2048,
};

describe("the head of a model file", () => {
  it("says what a token of context takes", () => {
    expect(factsOf(HEAD)).toEqual({
      architecture: "llama",
      contextLength: 2048,
      bytesPerToken: 2 * 2 * (16 + 16) * 2,
      hasChatTemplate: false,
    });
  });

  it("says whether the model has a chat template", () => {
    expect(factsOf({ ...HEAD, "tokenizer.chat_template": "{{ messages }}" }).hasChatTemplate).toBe(true);
  });

  it.each([
    ["llama.block_count", -3],
    ["llama.block_count", 1e9],
    ["llama.block_count", 2.5],
    ["llama.block_count", -(2n ** 40n)],
    ["llama.embedding_length", -64],
    ["llama.attention.head_count_kv", -2],
    ["llama.attention.key_length", Number.NaN],
    ["llama.context_length", -1],
    ["llama.context_length", 2n ** 63n],
  ])("is refused with %s of %s", (name, value) => {
    expect(() => factsOf({ ...HEAD, [name]: value })).toThrow(`its ${name.slice(6)} is ${value}`);
  });

  it("divides by no head as by one", () => {
    expect(factsOf({ ...HEAD, "llama.attention.head_count": 0 }).bytesPerToken).toBeGreaterThan(0);
  });
});

describe("a file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "feather-gguf-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ["that is no GGUF file", Buffer.from("hello, this is a text and no model at all")],
    ["that claims more fields than it has", claimingHead()],
  ])("%s is refused", async (_what, bytes) => {
    const path = join(folder, "x.gguf");
    writeFileSync(path, bytes);
    await expect(ggufFacts(path)).rejects.toThrow();
  });
});

/** A head that announces 2^40 fields, and ends. */
function claimingHead(): Buffer {
  const head = Buffer.alloc(24);
  head.write("GGUF");
  head.writeUInt32LE(3, 4);
  head.writeBigUInt64LE(0n, 8);
  head.writeBigUInt64LE(2n ** 40n, 16);
  return head;
}
