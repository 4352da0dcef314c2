import { createSchemaGrammar } from "../json-schema-grammar/create-schema-grammar.ts";
import { CALL_END, type Conversation, type GenerationOptions } from "../model/engine-model.ts";
import { loadLlamaModel } from "../model/llama/load.ts";
import { writeSpeakingModel } from "./toy-models.ts";

const PARAMETERS = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
/** A tool with one parameter, which it requires. */
export const lookup = {
  name: "lookup",
  description: undefined,
  parameters: PARAMETERS,
  grammar: createSchemaGrammar(PARAMETERS, { isObject: true, end: CALL_END }).grammar,
};

const OPTIONS: GenerationOptions = {
  priority: 0,
  sampling: {
    temperature: 0,
    topP: 1,
    topK: 0,
    minP: 0,
    presencePenalty: 0,
    frequencyPenalty: 0,
    repetitionPenalty: 1,
    seed: 1,
    logitBias: new Map(),
  },
  maxTokens: 100,
  minTokens: 0,
  stopTokenIds: [],
  output: { type: "text" },
  topLogprobs: undefined,
};

/** What a toy model says, in these pieces, after a prompt that ends with `start`, a line break by default. */
export type Speech = { template: string; start?: string; pieces: readonly string[]; specialTokens?: readonly string[] };

/** A reply. `argumentPieces` is the number of pieces in which the arguments of calls arrived. */
export type SpokenReply = {
  reasoning: string;
  text: string;
  calls: string[][];
  argumentPieces: number;
  reason: string;
  tokens: number;
  promptTokens: number;
};

/** Returns a function that writes a model into the folder, loads it and has it reply to a conversation. */
export function createSpeaker(folder: string) {
  return async (
    speech: Speech,
    conversation: Partial<Conversation> = {},
    options: Partial<GenerationOptions> = {},
  ): Promise<SpokenReply> => {
    const path = `${folder}/speaking.gguf`;
    writeSpeakingModel(path, { start: "\n", ...speech });
    const model = await loadLlamaModel({ path, contextLength: 1024, sequences: 1, threads: 1, log: () => {} });
    const prompt = model.promptFromChat({
      turns: [{ role: "user", text: "Hi" }],
      tools: [],
      toolChoice: "auto",
      parallelToolCalls: true,
      skipsThought: false,
      templateValues: {},
      ...conversation,
    });
    const result: SpokenReply = {
      reasoning: "",
      text: "",
      calls: [],
      argumentPieces: 0,
      reason: "",
      tokens: 0,
      promptTokens: prompt.tokenCount,
    };
    for await (const event of prompt.generate({ ...OPTIONS, ...options }, new AbortController().signal)) {
      if (event.type === "toolCall") result.calls.push([event.name, ""]);
      else if (event.type === "toolCallArguments") {
        const [name = "", begun = ""] = result.calls.pop() ?? [];
        result.calls.push([name, begun + event.text]);
        result.argumentPieces += 1;
      } else result[event.type === "reasoning" ? "reasoning" : "text"] += event.text;
      if (event.type === "end") Object.assign(result, { reason: event.reason, tokens: event.completionTokens });
    }
    await model.close();
    return result;
  };
}
