import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createParsePool, UnreadableTextError } from "../../../platform/core/parse-pool.ts";
import { createReadGgufHeader, readGgufFacts, toGgufFacts } from "./gguf-facts.ts";

const HEAD = {
  "general.architecture": "llama",
  "llama.block_count": 2,
  "llama.embedding_length": 64,
  "llama.attention.head_count": 4,
  "llama.attention.head_count_kv": 2,
  "llama.context_length": 2048,
};

describe("the header of a model file", () => {
  test("the header of a model file gives the memory of a context token", () => {
    expect(toGgufFacts(HEAD, 7_000)).toEqual({
      architecture: "llama",
      contextLength: 2048,
      bytesPerToken: 2 * 2 * (16 + 16) * 2,
      bytesPerSequence: 0,
      vocabularyBytes: 0,
      hasChatTemplate: false,
      isReranker: false,
      parameterSize: 7_000,
    });
  });

  test("the header of a model file counts layers that see a window once for each sequence", () => {
    const windowed = Object.fromEntries(
      Object.entries(HEAD).map(([name, value]) => [name.replace("llama", "gemma3"), value]),
    );
    const facts = toGgufFacts(
      {
        ...windowed,
        "general.architecture": "gemma3",
        "gemma3.block_count": 18,
        "gemma3.attention.sliding_window": 512,
      },
      7_000,
    );
    const bytesPerLayer = 2 * (16 + 16) * 2;
    expect(facts).toMatchObject({
      bytesPerToken: 3 * bytesPerLayer,
      bytesPerSequence: 15 * bytesPerLayer * (512 + 512),
    });
  });

  test("the header of a model file gives the memory of a vocabulary that is larger than a small one", () => {
    expect(toGgufFacts(HEAD, 0, { vocabularySize: 10_000 }).vocabularyBytes).toBe(0);
    expect(toGgufFacts(HEAD, 0, { vocabularySize: 262_144 }).vocabularyBytes).toBeCloseTo(154e6, -6);
  });

  test.each([
    ["ranks", { "llama.pooling_type": 4 }, false, true],
    ["averages", { "llama.pooling_type": 1 }, true, false],
    ["states no pooling, with a classifier", {}, true, true],
    ["states no pooling, without a classifier", {}, false, false],
  ])(
    "the header of a model file that %s tells whether the model orders texts",
    (_what, fields, hasClassifier, isReranker) => {
      expect(toGgufFacts({ ...HEAD, ...fields }, 0, { hasClassifier })).toMatchObject({ isReranker });
    },
  );

  test("the header of a model file tells whether the model has a chat template", () => {
    expect(toGgufFacts({ ...HEAD, "tokenizer.chat_template": "{{ messages }}" }, 0).hasChatTemplate).toBe(true);
  });

  test.each([
    ["llama.block_count", -3],
    ["llama.block_count", 1e9],
    ["llama.block_count", 2.5],
    ["llama.block_count", -(2n ** 40n)],
    ["llama.embedding_length", -64],
    ["llama.attention.head_count_kv", -2],
    ["llama.attention.key_length", Number.NaN],
    ["llama.context_length", -1],
    ["llama.context_length", 2n ** 63n],
  ])("rejects a model file whose header has %s of %s", (name, value) => {
    expect(() => toGgufFacts({ ...HEAD, [name]: value }, 0)).toThrow(`its ${name.slice(6)} is ${value}`);
  });

  test("the header of a model file may name an architecture as something that all objects have", () => {
    const named = Object.fromEntries(
      Object.entries(HEAD).map(([name, value]) => [name.replace("llama", "constructor"), value]),
    );
    const facts = { ...named, "general.architecture": "constructor", "constructor.attention.sliding_window": 512 };
    expect(toGgufFacts(facts, 0)).toMatchObject({ architecture: "constructor", bytesPerToken: 256 });
  });

  test.each([-1, 1e15, Number.NaN])("the header of a model file rejects a sum of parameters of %s", (count) => {
    expect(() => toGgufFacts(HEAD, count)).toThrow(`its number of parameters is ${count}`);
  });

  test("the header of a model file treats a head count of 0 as 1", () => {
    expect(toGgufFacts({ ...HEAD, "llama.attention.head_count": 0 }, 0).bytesPerToken).toBeGreaterThan(0);
  });
});

describe("a model file", () => {
  let folder: string;
  const pool = createParsePool();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "feather-gguf-"));
  });
  afterAll(async () => {
    await pool.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ["that is no GGUF file", Buffer.from("hello, this is a text and no model at all")],
    ["that claims more fields than it has", claimingHead()],
  ])("rejects a model file %s", async (_what, bytes) => {
    const path = join(folder, "x.gguf");
    writeFileSync(path, bytes);
    await expect(readGgufFacts(createReadGgufHeader(pool), path)).rejects.toThrow(UnreadableTextError);
  });
});

/** Returns a header that announces 2^40 fields, and then ends. */
function claimingHead(): Buffer {
  const head = Buffer.alloc(24);
  head.write("GGUF");
  head.writeUInt32LE(3, 4);
  head.writeBigUInt64LE(0n, 8);
  head.writeBigUInt64LE(2n ** 40n, 16);
  return head;
}
