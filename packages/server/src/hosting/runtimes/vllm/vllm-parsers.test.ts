import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readVllmParsers } from "./vllm-parsers.ts";

/** Creates a folder with the files that the choice of parsers depends on. */
function writeModel(modelType: string, tokenizerJson: string | null) {
  const folder = mkdtempSync(join(tmpdir(), "parsers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "config.json"), JSON.stringify({ model_type: modelType }));
  if (tokenizerJson !== null) writeFileSync(join(folder, "tokenizer.json"), tokenizerJson);
  return folder;
}
const tokens = (...contents: string[]) => JSON.stringify({ added_tokens: contents.map((content) => ({ content })) });
const THINKS = tokens("<think>", "</think>");

test.each([
  ["acme/support", "qwen2", null, { toolParser: "hermes" }],
  ["acme/support", "qwen3_moe", THINKS, { toolParser: "hermes", reasoningParser: "qwen3" }],
  ["meta-llama/Llama-3.1-8B-Instruct", "llama", tokens("<|python_tag|>"), { toolParser: "llama3_json" }],
  ["deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "llama", THINKS, { reasoningParser: "deepseek_r1" }],
  ["Qwen/QwQ-32B", "qwen2", THINKS, { toolParser: "hermes", reasoningParser: "deepseek_r1" }],
  ["acme/unheard-of", "unheard_of", THINKS, {}],
  // The type is any text of the repository, also the name of something that all objects have.
  ["acme/unheard-of", "constructor", THINKS, {}],
])("%s of the family %s gets the parsers for its family and its tokens", async (id, type, tokenizer, forms) => {
  expect(await readVllmParsers(id, writeModel(type, tokenizer))).toEqual(forms);
});

test.each([
  ["HuggingFaceTB/SmolLM2-135M-Instruct", "llama", tokens("<|im_start|>", "<|im_end|>")],
  ["meta-llama/Llama-2-7b-chat-hf", "llama", null],
  ["mistralai/Mistral-7B-v0.1", "mistral", tokens("<s>")],
  ["acme/fine-tuned", "qwen3", tokens("<think>")],
])(
  "%s gets no parser for tokens that its tokenizer lacks, with which vLLM would fail its streams",
  async (id, type, text) => {
    const { toolParser, reasoningParser } = await readVllmParsers(id, writeModel(type, text));
    expect([toolParser === "hermes" ? undefined : toolParser, reasoningParser]).toEqual([undefined, undefined]);
  },
);

test("tokens that a tokenizer's file writes with escapes are read", async () => {
  const text =
    '{"added_tokens":[{"content":"<\\uff5ctool\\u2581calls\\u2581begin\\uff5c>"},{"content":"<｜tool▁calls▁end｜>"}]}';
  expect(await readVllmParsers("deepseek-ai/DeepSeek-V3", writeModel("deepseek_v3", text))).toEqual({
    toolParser: "deepseek_v3",
  });
});

test("a model whose configuration cannot be read has no forms", async () => {
  expect(await readVllmParsers("acme/broken", "/nowhere")).toEqual({});
});
