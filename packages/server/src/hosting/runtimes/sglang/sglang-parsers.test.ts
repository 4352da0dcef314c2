import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSglangParsers } from "./sglang-parsers.ts";

const folder = mkdtempSync(join(tmpdir(), "sglang-parsers-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["Qwen/Qwen3-8B", "qwen3", { toolParser: "qwen", reasoningParser: "qwen3" }],
  ["deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "qwen2", { toolParser: "qwen", reasoningParser: "deepseek-r1" }],
  ["meta-llama/Llama-3.1-8B", "llama", { toolParser: "llama3" }],
  ["acme/unheard-of", "unheard-of", {}],
])("SGLang gets the parsers of %s", async (repository, model_type, parsers) => {
  writeFileSync(join(folder, "config.json"), JSON.stringify({ model_type }));
  expect(await readSglangParsers(repository, folder)).toEqual(parsers);
});
