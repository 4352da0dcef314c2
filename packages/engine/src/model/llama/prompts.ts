import {
  type ChatHistoryItem,
  type ChatModelFunctions,
  type ChatWrapper,
  type Llama,
  type LlamaModel,
  LlamaText,
  type Token,
} from "node-llama-cpp";
import {
  type Conversation,
  type EngineModel,
  type GenerationEvent,
  type GenerationOptions,
  type Prompt,
  type Tool,
  UnusableChatError,
  UnusableTokensError,
} from "../engine-model.ts";
import type { ReplyParser } from "../tool-calls/reply-parts.ts";
import { splitThoughts, type ThoughtMarks } from "../tool-calls/thoughts.ts";
import type { ToolFormat } from "../tool-calls/tool-format.ts";
import { historyOptionsOf, toChatHistory, toModelFunctions, withDescribedTools } from "./chat-history.ts";
import type { SelectWrapper } from "./chat-wrapper.ts";
import { generateTokens } from "./generate.ts";
import { createGrammar } from "./grammar.ts";
import { parseReply } from "./parsed-reply.ts";
import type { SequencePool } from "./sequence-pool.ts";
import { generateStructuredReply } from "./structured-reply.ts";
import { asToken } from "./tokens.ts";
import { closeOpenThought, requireToolCall } from "./turn-openings.ts";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

/** What prompts are created from. */
export type PromptDependencies = {
  llama: Llama;
  model: LlamaModel;
  /** Returns the wrapper that renders a conversation with these values for the template's variables. */
  wrapperFor: SelectWrapper;
  /** The form in which the model calls tools; null if node-llama-cpp finds it by the template. */
  toolFormat: ToolFormat | null;
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
  const { model } = dependencies;
  const vocabulary = createVocabulary(model);
  const { endTokens, has } = vocabulary;
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
    fromChat: (conversation) => promptFromChat(dependencies, vocabulary, conversation),
  };
}

function promptFromChat(
  dependencies: PromptDependencies,
  { endTokens }: Vocabulary,
  conversation: Conversation,
): Prompt {
  const { model, wrapperFor, toolFormat } = dependencies;
  const { tools, toolChoice, parallelToolCalls } = conversation;
  const functions = toModelFunctions(tools);
  const plain = wrapperFor(conversation.templateValues, tools.length > 0);
  const answering = conversation.skipsThought ? closeOpenThought(plain) : plain;
  const wrapper = toolChoice === "auto" ? answering : requireToolCall(plain, functions);
  const history = toChatHistory(withDescribedTools(conversation, toolFormat), historyOptionsOf(wrapper));
  const rendered = renderChat(wrapper, history, functions);
  const tokens = rendered.contextText.tokenize(model.tokenizer);
  const innerMarks = tools.length > 0 ? (toolFormat?.innerMarks ?? []) : [];
  const stopTriggers = rendered.stopTriggers.filter((trigger) => !innerMarks.includes(trigger.toString()));
  const { stopTokens, stopTexts } = sortStopTriggers(stopTriggers, model);
  if (toolFormat && toolChoice === "auto" && tools.length > 0) {
    const createParser = () => createReplyParser(toolFormat, wrapper, rendered.isWithinThought, tools);
    const shared = { model, prompt: tokens, stopTokens, endTokens, showsSpecialTokens: true };
    return {
      ...prompt(dependencies, tokens, stopTexts, (turn) =>
        parseReply(generateTokens({ ...turn, ...shared }), createParser(), parallelToolCalls),
      ),
      supportsLogprobs: false,
    };
  }
  if (rendered.needsStructure) {
    const callable = typeof toolChoice === "object" ? pick(functions, toolChoice.name) : functions;
    const shared = { model, wrapper, history, functions: callable, parallelToolCalls, endTokens };
    return {
      ...prompt(dependencies, tokens, [], (turn) => generateStructuredReply({ ...turn, ...shared })),
      supportsLogprobs: false,
    };
  }
  return prompt(dependencies, tokens, stopTexts, (turn) =>
    generateTokens({ ...turn, model, prompt: tokens, stopTokens, endTokens }),
  );
}

/** Creates the parser of a reply with thoughts, if the template marks them, and tool calls. */
function createReplyParser(
  { createParser, parsesThoughts }: ToolFormat,
  wrapper: ChatWrapper,
  isWithinThought: boolean,
  tools: readonly Tool[],
): ReplyParser {
  const calls = createParser(new Set(tools.map(({ name }) => name)));
  const marks = parsesThoughts ? undefined : thoughtMarksOf(wrapper);
  return marks ? splitThoughts(marks, isWithinThought, calls) : calls;
}

function thoughtMarksOf({ settings }: ChatWrapper): ThoughtMarks | undefined {
  const { prefix, suffix } = settings.segments?.thought ?? {};
  const isText = typeof prefix === "string" || LlamaText.isLlamaText(prefix);
  if (!isText || suffix === undefined) return undefined;
  return [LlamaText(prefix).toString().trim(), LlamaText(suffix).toString().trim()];
}

function prompt(
  { llama, pool }: PromptDependencies,
  tokens: readonly Token[],
  stopTexts: readonly string[],
  generateReply: Generate,
): Prompt {
  async function* generate(options: GenerationOptions, signal: AbortSignal): ReturnType<Prompt["generate"]> {
    const grammar = createGrammar(llama, options.output);
    const { sequence, release } = await pool.acquire(tokens, signal, options.priority);
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

type RenderedChat = {
  contextText: LlamaText;
  stopTriggers: readonly LlamaText[];
  needsStructure: boolean;
  /** Whether the template has opened a thought, which the reply begins with. */
  isWithinThought: boolean;
};

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
    const isWithinThought = state.noPrefixTrigger?.type === "segment";
    const { contextText, stopGenerationTriggers: stopTriggers } = state;
    return { contextText, stopTriggers, needsStructure, isWithinThought };
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
