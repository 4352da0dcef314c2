import type {
  ChatHistoryItem,
  ChatModelFunctions,
  ChatWrapper,
  Llama,
  LlamaModel,
  LlamaText,
  Token,
} from "node-llama-cpp";
import {
  type Conversation,
  type EngineModel,
  type GenerationEvent,
  type GenerationOptions,
  type Prompt,
  type TemplateValues,
  UnusableChatError,
  UnusableTokensError,
} from "../engine-model.ts";
import { toChatHistory, toModelFunctions } from "./chat-history.ts";
import { generateTokens } from "./generate.ts";
import { createGrammar } from "./grammar.ts";
import type { SequencePool } from "./sequence-pool.ts";
import { generateStructuredReply } from "./structured-reply.ts";
import { asToken } from "./tokens.ts";
import { closeOpenThought, requireToolCall } from "./turn-openings.ts";
import { createVocabulary } from "./vocabulary.ts";

/** What prompts are created from. */
export type PromptDependencies = {
  llama: Llama;
  model: LlamaModel;
  /** Returns the wrapper that renders a conversation with these values for the template's variables. */
  wrapperFor: (values: TemplateValues) => ChatWrapper;
  pool: SequencePool;
};

/** Creates prompts from a conversation or a text. */
export type Prompts = {
  fromChat(conversation: Conversation): Prompt;
  fromText(text: string): Prompt;
  fromTokens: EngineModel["promptFromTokens"];
};

/** Generates the reply to a prompt on a sequence. */
type Generate = (
  turn: Pick<Parameters<typeof generateTokens>[0], "sequence" | "grammar" | "options" | "signal">,
) => AsyncGenerator<GenerationEvent, void, void>;

/** Creates prompts for a model. Conversations with tools or reasoning get a structured reply. */
export function createPrompts(dependencies: PromptDependencies): Prompts {
  const { model, wrapperFor } = dependencies;
  const { endTokens, has } = createVocabulary(model);
  const continueTokens = (tokens: readonly Token[]) =>
    prompt(dependencies, tokens, [], (turn) =>
      generateTokens({ ...turn, model, prompt: tokens, stopTokens: new Set(), endTokens }),
    );
  return {
    fromText: (text) => continueTokens([...beginTokens(model), ...model.tokenize(text, true)]),
    fromTokens(tokens) {
      const unknown = tokens.find((id) => !has(id));
      if (unknown !== undefined) throw new UnusableTokensError(`The model has no token ${unknown}.`);
      const known = tokens.map(asToken);
      return { prompt: continueTokens(known), text: model.detokenize(known) };
    },
    fromChat(conversation) {
      const { tools, toolChoice } = conversation;
      const functions = toModelFunctions(tools);
      const plain = wrapperFor(conversation.templateValues);
      const answering = conversation.skipsThought ? closeOpenThought(plain) : plain;
      const wrapper = toolChoice === "auto" ? answering : requireToolCall(plain, functions);
      const history = toChatHistory(conversation.turns, {
        marksThoughts: wrapper.settings.segments?.thought !== undefined,
      });
      const { contextText, stopTriggers, needsStructure } = renderChat(wrapper, history, functions);
      const tokens = contextText.tokenize(model.tokenizer);
      if (needsStructure) {
        const { parallelToolCalls } = conversation;
        const callable = typeof toolChoice === "object" ? pick(functions, toolChoice.name) : functions;
        const shared = { model, wrapper, history, functions: callable, parallelToolCalls, endTokens };
        return {
          ...prompt(dependencies, tokens, [], (turn) => generateStructuredReply({ ...turn, ...shared })),
          supportsLogprobs: false,
        };
      }
      const { stopTokens, stopTexts } = sortStopTriggers(stopTriggers, model);
      return prompt(dependencies, tokens, stopTexts, (turn) =>
        generateTokens({ ...turn, model, prompt: tokens, stopTokens, endTokens }),
      );
    },
  };
}

function prompt(
  { llama, pool }: PromptDependencies,
  tokens: readonly Token[],
  stopTexts: readonly string[],
  generateReply: Generate,
): Prompt {
  async function* generate(options: GenerationOptions, signal: AbortSignal): ReturnType<Prompt["generate"]> {
    const grammar = await createGrammar(llama, options.output);
    const { sequence, release } = await pool.acquire(tokens, signal);
    let failed = false;
    try {
      yield* generateReply({ sequence, grammar, options, signal });
    } catch (error) {
      failed = !signal.aborted;
      throw error;
    } finally {
      await release(!failed);
    }
  }
  return { tokenCount: tokens.length, stopTexts, supportsLogprobs: true, generate };
}

type RenderedChat = { contextText: LlamaText; stopTriggers: readonly LlamaText[]; needsStructure: boolean };

function renderChat(wrapper: ChatWrapper, history: ChatHistoryItem[], functions: ChatModelFunctions): RenderedChat {
  try {
    const state = wrapper.generateContextState({
      chatHistory: history,
      ...(Object.keys(functions).length > 0 && { availableFunctions: functions, documentFunctionParams: true }),
    });
    const needsStructure =
      Object.keys(functions).length > 0 ||
      wrapper.settings.segments?.thought !== undefined ||
      state.prefixTriggers !== undefined ||
      state.noPrefixTrigger !== undefined;
    return { contextText: state.contextText, stopTriggers: state.stopGenerationTriggers, needsStructure };
  } catch (error) {
    throw new UnusableChatError(error instanceof Error ? error.message : String(error));
  }
}

/** Splits stop triggers into tokens and texts: a special token must be compared as a token, since it has no text. */
function sortStopTriggers(
  triggers: readonly LlamaText[],
  model: LlamaModel,
): { stopTokens: ReadonlySet<Token>; stopTexts: readonly string[] } {
  const stopTokens = new Set<Token>();
  const stopTexts: string[] = [];
  for (const trigger of triggers) {
    const [token, ...others] = trigger.tokenize(model.tokenizer);
    if (token === undefined) continue;
    if (others.length === 0 && (model.isSpecialToken(token) || model.isEogToken(token))) stopTokens.add(token);
    else stopTexts.push(trigger.toString());
  }
  return { stopTokens, stopTexts };
}

function pick(functions: ChatModelFunctions, name: string): ChatModelFunctions {
  return Object.fromEntries(Object.entries(functions).filter(([each]) => each === name));
}

function beginTokens(model: LlamaModel): Token[] {
  const { bos, shouldPrependBosToken } = model.tokens;
  return shouldPrependBosToken && bos !== null ? [bos] : [];
}
