import { type Llama, LlamaGrammar } from "node-llama-cpp";
import type { OutputShape } from "../engine-model.ts";

/** Returns the grammar that constrains a reply to a shape; undefined for free text. */
export function createGrammar(llama: Llama, output: OutputShape): LlamaGrammar | undefined {
  if (output.type === "text") return undefined;
  return new LlamaGrammar(llama, { grammar: output.grammar, trimWhitespaceSuffix: true });
}
