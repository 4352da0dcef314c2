import { type Llama, LlamaGrammar } from "node-llama-cpp";
import { type OutputShape, UnusableSchemaError } from "../engine-model.ts";
import { toGrammarSchema } from "./json-schema.ts";

/** node-llama-cpp ends its schema grammars with four line breaks, for models that don't end by themselves. */
const TRAILING_LINE_BREAKS = ' "\\n\\n\\n\\n" [\\n]*';

/** Returns the grammar that constrains a reply to a shape; undefined for free text. */
export async function createGrammar(llama: Llama, output: OutputShape): Promise<LlamaGrammar | undefined> {
  if (output.type === "text") return undefined;
  if (output.type === "json") return llama.getGrammarFor("json");
  const schema = toGrammarSchema(output.schema);
  try {
    const { grammar } = await llama.createGrammarForJsonSchema({ oneOf: [schema] });
    return new LlamaGrammar(llama, { grammar: grammar.replace(TRAILING_LINE_BREAKS, ""), trimWhitespaceSuffix: true });
  } catch (error) {
    throw new UnusableSchemaError(`The schema can't be turned into a grammar: ${String(error)}`);
  }
}
