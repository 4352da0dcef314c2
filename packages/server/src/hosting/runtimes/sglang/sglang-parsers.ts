import { join } from "node:path";
import { readModelType } from "../processes/model-type.ts";
import type { ModelParsers } from "../runtime.ts";

/** Parsers of tool calls by `model_type`, from the list in SGLang's source (`function_call_parser.py`). */
const TOOL_PARSERS: ReadonlyMap<string, string> = new Map([
  ["deepseek_v3", "deepseekv3"],
  ["glm4_moe", "glm45"],
  ["gpt_oss", "gpt-oss"],
  ["llama", "llama3"],
  ["llama4", "pythonic"],
  ["minimax_m2", "minimax-m2"],
  ["mistral", "mistral"],
  ["qwen2", "qwen"],
  ["qwen2_moe", "qwen"],
  ["qwen3", "qwen"],
  ["qwen3_moe", "qwen"],
]);

/** Parsers of reasoning by `model_type`, from SGLang's documentation of reasoning models. */
const REASONING_PARSERS: ReadonlyMap<string, string> = new Map([
  ["gpt_oss", "gpt-oss"],
  ["qwen3", "qwen3"],
  ["qwen3_moe", "qwen3"],
]);
/** Families that share the `model_type` of models without reasoning: DeepSeek R1, its distilled models, and QwQ. */
const DEEPSEEK_R1_NAME = /(?:^|[/_-])(?:deepseek-r1|qwq)(?:[_.-]|$)/i;

/** Returns the parsers for a model, from the id of its repository and the configuration in its folder. */
export async function readSglangParsers(repository: string, folder: string): Promise<ModelParsers> {
  const type = await readModelType(join(folder, "config.json"));
  const toolParser = TOOL_PARSERS.get(type);
  const reasoningParser = DEEPSEEK_R1_NAME.test(repository) ? "deepseek-r1" : REASONING_PARSERS.get(type);
  return { ...(toolParser !== undefined && { toolParser }), ...(reasoningParser !== undefined && { reasoningParser }) };
}
