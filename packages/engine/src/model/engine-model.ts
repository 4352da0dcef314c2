/** A way in which llama.cpp uses graphics cards. */
export type GpuType = "cuda" | "vulkan" | "metal";

/**
 * What the HTTP side needs from a language model. Nothing here knows about JSON bodies or HTTP; the llama.cpp
 * adapter implements it, and a test may implement it with a few lines.
 */
export type EngineModel = {
  /** Tokens that fit into one sequence, prompt and reply together. */
  readonly contextLength: number;
  /** How many generations run at the same time; more wait by priority, then in order of arrival. */
  readonly sequences: number;
  /** Numbers in an embedding vector. */
  readonly embeddingLength: number;
  /** Whether the model's chat template supports tools. */
  readonly supportsTools: boolean;
  /** Whether calls that the model decides on itself are held to the grammars of their tools, as required ones always are. */
  readonly holdsOwnCalls: boolean;
  /** Whether the model's chat template reads a variable of this name. */
  readsTemplateVariable(name: string): boolean;
  load(): ModelLoad;
  /**
   * Throws {@link UnusableChatError} when the model's template refuses the conversation.
   */
  promptFromChat(conversation: Conversation): Prompt;
  promptFromText(text: string): Prompt;
  /** The prompt, and its text. Throws {@link UnusableTokensError} for an id that is not in the vocabulary. */
  promptFromTokens(tokens: readonly number[]): { prompt: Prompt; text: string };
  /** Token ids of a text. Special tokens written in the text count as text. */
  tokenize(text: string): readonly number[];
  /** Throws {@link InputTooLongError}. Of the texts that wait, those with a lower value of `priority` go first. */
  embed(text: string, signal: AbortSignal, priority: number): Promise<Embedding>;
  close(): Promise<void>;
};

/** An embedding vector, and how many tokens its text had. */
export type Embedding = { vector: readonly number[]; tokenCount: number };

/** How many generations run, and how many wait for a sequence. */
export type ModelLoad = { active: number; waiting: number };

/** A tokenized text. Each call of `generate` waits for a free sequence and yields one continuation. */
export type Prompt = {
  readonly tokenCount: number;
  /** Texts at which the model's template ends a turn; they never belong to the reply. */
  readonly stopTexts: readonly string[];
  /** Whether `GenerationOptions.topLogprobs` works; it does not where the model's replies have to be taken apart. */
  readonly supportsLogprobs: boolean;
  generate(options: GenerationOptions, signal: AbortSignal): AsyncGenerator<GenerationEvent, void, void>;
};

/** The turns of a chat, and the tools that the model may call. */
export type Conversation = {
  turns: readonly ChatTurn[];
  tools: readonly Tool[];
  toolChoice: ToolChoice;
  parallelToolCalls: boolean;
  /** Whether the reply begins without a thought, because it is held to a form from its first character on. */
  skipsThought: boolean;
  /** Values for variables of the model's template, by name. Those that the template does not read change nothing. */
  templateValues: TemplateValues;
};

/** Whether the model decides to call a tool, must call some tool, or must call the named one. */
export type ToolChoice = "auto" | "required" | { name: string };

/** JSON values by the name of a template's variable. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** One message of a conversation. */
export type ChatTurn =
  | { role: "system"; text: string }
  | { role: "user"; text: string }
  /** `reasoning` may be empty. */
  | { role: "assistant"; reasoning: string; text: string; toolCalls: readonly PastToolCall[] }
  | { role: "tool"; callId: string; text: string };

/**
 * `parameters` is the JSON Schema of the request, which the model reads; it may have raw numbers (`parseExactJson`).
 * `grammar` is what calls are held to, followed by {@link CALL_END}; undefined for a tool that takes no arguments.
 */
export type Tool = {
  name: string;
  description: string | undefined;
  parameters: unknown;
  grammar?: string | undefined;
};
/** What a grammar for arguments ends with, by which their end is noticed. */
export const CALL_END = "\n\n\n\n";
/** A tool call that the model made in an earlier turn; `arguments` may have raw numbers (`parseExactJson`). */
export type PastToolCall = { id: string; name: string; arguments: unknown };

/** Options of one generation. */
export type GenerationOptions = {
  /** Among requests that wait for a sequence, those with a lower value go first. */
  priority: number;
  sampling: Sampling;
  /** At least 1, and already within what the context leaves. */
  maxTokens: number;
  /**
   * The number of tokens before which neither the model's end nor a stop token is generated. Must be 0 with a grammar
   * or tools.
   */
  minTokens: number;
  /** Tokens that end the reply without being part of it. */
  stopTokenIds: readonly number[];
  output: OutputShape;
  /** How many alternatives to report with each token's log probability; undefined: no log probabilities. */
  topLogprobs: number | undefined;
};

/** How the next token is chosen. */
export type Sampling = {
  /** 0 always takes the most likely token. */
  temperature: number;
  /** 1 is off. */
  topP: number;
  /** 0 is off. */
  topK: number;
  /** 0 is off. */
  minP: number;
  presencePenalty: number;
  frequencyPenalty: number;
  /** 1 is off. */
  repetitionPenalty: number;
  /** The same seed, prompt and options give the same text on the same machine. */
  seed: number;
  /** Token id to a number added to its logit. */
  logitBias: ReadonlyMap<number, number>;
};

/** The form that the reply is constrained to: none, or a grammar in llama.cpp's format. */
export type OutputShape = { type: "text" } | { type: "grammar"; grammar: string };

/** An event of a generation. The last one has the type `end`. */
export type GenerationEvent =
  /** `tokenCount` more tokens; `text` may be empty while a character is incomplete. */
  | { type: "text"; text: string; tokenCount: number; logprobs: readonly TokenLogprob[] }
  /** Text that the model marks as thinking, not as part of its answer. */
  | { type: "reasoning"; text: string; tokenCount: number }
  /** A tool call begins. */
  | { type: "toolCall"; name: string }
  /** More of the arguments of the last call; all pieces together are JSON, unless the token limit cuts them. */
  | { type: "toolCallArguments"; text: string }
  /** Always the last event. `text` is the text that was held back until then. */
  | { type: "end"; text: string; reason: EndReason; completionTokens: number };

/** Why a generation ended. */
export type EndReason = "stop" | "length" | "toolCalls";

/** A token with its log probability, and the most likely alternatives. */
export type TokenLogprob = { text: string; logprob: number; top: readonly { text: string; logprob: number }[] };

/** The text is longer than the context. Lengths are in tokens. */
export class InputTooLongError extends Error {
  readonly max: number;
  readonly got: number;

  constructor(max: number, got: number) {
    super(`The text has ${got} tokens, at most ${max} fit.`);
    this.max = max;
    this.got = got;
  }
}

/** The model can't be loaded; the message says why in one line. */
export class ModelLoadError extends Error {}

/** The model's chat template rejects the conversation. */
export class UnusableChatError extends Error {}
/** Ids of tokens that the model does not have. */
export class UnusableTokensError extends Error {}
