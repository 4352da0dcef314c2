import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readModelType } from "../processes/model-type.ts";
import type { ModelParsers } from "../runtime.ts";

/** Parsers of tool calls by `model_type`, from vLLM's documentation of tool calling. */
const TOOL_PARSERS: ReadonlyMap<string, string> = new Map([
  ["deepseek_v3", "deepseek_v3"],
  ["gpt_oss", "openai"],
  ["granite", "granite"],
  ["llama", "llama3_json"],
  ["llama4", "llama4_pythonic"],
  ["mistral", "mistral"],
  ["qwen2", "hermes"],
  ["qwen2_moe", "hermes"],
  ["qwen3", "hermes"],
  ["qwen3_moe", "hermes"],
]);

/** Parsers of reasoning by `model_type`, from vLLM's documentation of reasoning models. */
const REASONING_PARSERS: ReadonlyMap<string, string> = new Map([
  ["glm4_moe", "glm45"],
  ["hunyuan_v1_moe", "hunyuan_a13b"],
  ["minimax_m2", "minimax_m2_append_think"],
  ["qwen3", "qwen3"],
  ["qwen3_moe", "qwen3"],
]);
/** Families that share the `model_type` of models without reasoning: DeepSeek R1, its distilled models, and QwQ. */
const DEEPSEEK_R1_NAME = /(?:^|[/_-])(?:deepseek-r1|qwq)(?:[_.-]|$)/i;

const THOUGHT_TOKENS = ["<think>", "</think>"];
/**
 * The tokens that a parser of vLLM needs in the model's vocabulary. vLLM creates the parser for each stream, so without the
 * tokens every stream fails, even those without tools. Llama 2, for example, has the `model_type` of Llama 3.1 and none of
 * its tokens.
 */
const NEEDED_TOKENS: Readonly<Record<string, readonly string[]>> = {
  deepseek_r1: THOUGHT_TOKENS,
  deepseek_v3: ["<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"],
  glm45: THOUGHT_TOKENS,
  llama3_json: ["<|python_tag|>"],
  mistral: ["[TOOL_CALLS]"],
  qwen3: THOUGHT_TOKENS,
};
/** The files of a tokenizer that list its tokens. */
const TOKENIZER_FILES = ["tokenizer.json", "tokenizer_config.json", "added_tokens.json", "tekken.json"];

/**
 * Returns the parsers for a model, from the id of its repository and the files in its folder. A parser whose tokens the
 * tokenizer lacks is left out.
 */
export async function readVllmParsers(repository: string, folder: string): Promise<ModelParsers> {
  const type = await readModelType(join(folder, "config.json"));
  const toolParser = TOOL_PARSERS.get(type);
  const reasoningParser = DEEPSEEK_R1_NAME.test(repository) ? "deepseek_r1" : REASONING_PARSERS.get(type);
  const tokenizer = (await Promise.all(TOKENIZER_FILES.map((name) => readText(join(folder, name))))).join("\n");
  return {
    ...(toolParser !== undefined && hasTokens(tokenizer, toolParser) && { toolParser }),
    ...(reasoningParser !== undefined && hasTokens(tokenizer, reasoningParser) && { reasoningParser }),
  };
}

function hasTokens(tokenizer: string, parser: string): boolean {
  const tokens = NEEDED_TOKENS[parser] ?? [];
  return tokens.every((token) => spellings(token).some((text) => tokenizer.includes(text)));
}

/** Returns the ways in which JSON files write a token: with characters outside ASCII as they are, or escaped. */
function spellings(token: string): string[] {
  const escaped = token.replaceAll(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [`"${token}"`, `"${escaped}"`];
}

async function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
