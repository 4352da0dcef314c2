import type { CallBody } from "../formats/parsed-request.ts";
import { isRecord } from "../usage/reported-usage.ts";

/**
 * Fields with which a call uses more of a backend than its units cover, or gets ahead of other calls. They are never sent,
 * even if an operator lists them.
 */
export const WITHHELD_FIELDS: ReadonlySet<string> = new Set([
  "best_of",
  "data_parallel_rank",
  "id_slot",
  "kv_transfer_params",
  "num_beams",
  "priority",
  "prompt_logprobs",
  "use_beam_search",
]);

/** Programs and providers that serve models and whose APIs differ. `other` is any OpenAI-compatible address. */
export type Program =
  | "engine"
  | "responses"
  | "anthropic"
  | "bedrock"
  | "cohere"
  | "gemini"
  | "vertex"
  | "vllm"
  | "sglang"
  | "llama-server"
  | "ollama"
  | "lm-studio"
  | "other";

/** A program's tokenizer endpoint: its path from the root of the address, and the request body. */
export type TokenizerEndpoint = { path: string; body(model: string, text: string): object };

type Body = CallBody;

/** How a program's API differs from OpenAI's. */
export type Dialect = {
  /** Fields that it accepts in addition to those of every backend. */
  extraParams: ReadonlySet<string>;
  /** Fields of OpenAI's or of vLLM's that it takes and passes over without a word, by kind of call. */
  passedOver: Readonly<Record<"chat" | "completion" | "embedding", ReadonlySet<string>>>;
  /** Returns a body with the names and values of the program, where it has others for what a field asks. */
  toOwnFields(body: Body): Body;
  /** Whether it answers to a part of a prompt that is too long for it, without a word. */
  cutsPrompts: boolean;
  /** Whether it takes one text as prompt, and no token ids. */
  takesOnlyTexts: boolean;
  /**
   * Whether it lets calls with a lower `priority` go first, if it was started for that. The programs that this server starts
   * are, others where the operator says so.
   */
  readsPriority: boolean;
  tokenizer: TokenizerEndpoint | null;
};

const VLLM_PARAMS = [
  "add_generation_prompt",
  "add_special_tokens",
  "allowed_token_ids",
  "bad_words",
  "continue_final_message",
  "documents",
  "guided_choice",
  "guided_decoding_backend",
  "guided_grammar",
  "guided_json",
  "guided_regex",
  "guided_whitespace_pattern",
  "ignore_eos",
  "include_reasoning",
  "length_penalty",
  "mm_processor_kwargs",
  "return_token_ids",
  "return_tokens_as_token_ids",
  "skip_special_tokens",
  "spaces_between_special_tokens",
  "structured_outputs",
  "thinking_token_budget",
  "truncate_prompt_tokens",
];
const SGLANG_PARAMS = [
  "continue_final_message",
  "ebnf",
  "ignore_eos",
  "no_stop_trim",
  "regex",
  "separate_reasoning",
  "skip_special_tokens",
  "stop_regex",
  "stream_reasoning",
];
const LLAMA_SERVER_PARAMS = [
  "cache_prompt",
  "dry_allowed_length",
  "dry_base",
  "dry_multiplier",
  "dry_penalty_last_n",
  "dry_sequence_breakers",
  "dynatemp_exponent",
  "dynatemp_range",
  "grammar",
  "ignore_eos",
  "json_schema",
  "mirostat",
  "mirostat_eta",
  "mirostat_tau",
  "n_probs",
  "repeat_last_n",
  "repeat_penalty",
  "samplers",
  "top_n_sigma",
  "typical_p",
  "xtc_probability",
  "xtc_threshold",
];

/** Read in the source of Ollama's OpenAI-compatible API (`openai/openai.go`), which has no such fields. */
const PASSED_OVER_BY_OLLAMA = [
  "include_stop_str_in_output",
  "logit_bias",
  "min_p",
  "min_tokens",
  "n",
  "repetition_penalty",
  "stop_token_ids",
  "top_k",
];
/** Read in the source of llama-server (`tools/server/server-schema.cpp`), which has no such fields. */
const PASSED_OVER_BY_LLAMA_SERVER = ["include_stop_str_in_output", "min_tokens", "stop_token_ids"];

/** From the reference of Anthropic's Messages API, which has no such fields. */
const WITHOUT_PLACE_AT_ANTHROPIC = [
  "frequency_penalty",
  "include_stop_str_in_output",
  "logit_bias",
  "min_p",
  "min_tokens",
  "n",
  "presence_penalty",
  "repetition_penalty",
  "seed",
  "stop_token_ids",
];

/** From the reference of OpenAI's Responses API, which has no such fields. */
const WITHOUT_PLACE_AT_RESPONSES = [
  "chat_template_kwargs",
  "frequency_penalty",
  "include_stop_str_in_output",
  "logit_bias",
  "min_p",
  "min_tokens",
  "n",
  "presence_penalty",
  "repetition_penalty",
  "seed",
  "stop",
  "stop_token_ids",
  "top_k",
];

/** From the reference of Gemini's `generateContent`, which has no such fields. */
const WITHOUT_PLACE_AT_GOOGLE = [
  "include_stop_str_in_output",
  "logit_bias",
  "min_p",
  "min_tokens",
  "parallel_tool_calls",
  "repetition_penalty",
  "stop_token_ids",
  "user",
];

/** From the reference of Bedrock's `Converse`, which has no such fields. */
const WITHOUT_PLACE_AT_BEDROCK = [...WITHOUT_PLACE_AT_ANTHROPIC, "parallel_tool_calls", "user"];

const COHERE_EMBEDDING_PARAMS = ["input_type", "truncate"];
const COHERE_RERANK_PARAMS = ["max_tokens_per_doc"];
/** From the reference of Cohere's endpoint that is compatible with OpenAI's API, which takes no such fields. */
const WITHOUT_PLACE_AT_COHERE = [
  ...COHERE_EMBEDDING_PARAMS,
  ...COHERE_RERANK_PARAMS,
  "include_stop_str_in_output",
  "logit_bias",
  "logprobs",
  "min_p",
  "min_tokens",
  "n",
  "repetition_penalty",
  "stop_token_ids",
  "top_k",
  "user",
];

const NOTHING: ReadonlySet<string> = new Set();
/** What most programs have in common. */
const COMMON: Dialect = {
  extraParams: NOTHING,
  passedOver: { chat: NOTHING, completion: NOTHING, embedding: NOTHING },
  toOwnFields: (body) => body,
  cutsPrompts: false,
  takesOnlyTexts: false,
  readsPriority: false,
  tokenizer: null,
};

const GOOGLE: Dialect = {
  ...COMMON,
  passedOver: {
    chat: new Set([...WITHOUT_PLACE_AT_GOOGLE, "chat_template_kwargs", "logprobs", "metadata", "top_logprobs"]),
    completion: new Set([...WITHOUT_PLACE_AT_GOOGLE, "echo", "logprobs", "suffix"]),
    embedding: new Set(["user"]),
  },
  takesOnlyTexts: true,
};

/** The dialect of each program. */
export const DIALECTS: Readonly<Record<Program, Dialect>> = {
  engine: {
    ...COMMON,
    extraParams: new Set(["repeat_penalty"]),
    readsPriority: true,
    tokenizer: { path: "/v1/tokenize", body: (_model, text) => ({ text }) },
  },
  vllm: {
    ...COMMON,
    extraParams: new Set(VLLM_PARAMS),
    readsPriority: true,
    tokenizer: { path: "/tokenize", body: (model, prompt) => ({ model, prompt, add_special_tokens: false }) },
  },
  sglang: { ...COMMON, extraParams: new Set(SGLANG_PARAMS), readsPriority: true },
  "llama-server": {
    ...COMMON,
    extraParams: new Set(LLAMA_SERVER_PARAMS),
    passedOver: {
      chat: new Set(PASSED_OVER_BY_LLAMA_SERVER),
      completion: new Set(PASSED_OVER_BY_LLAMA_SERVER),
      embedding: new Set(["dimensions"]),
    },
    toOwnFields: toLlamaServerFields,
    // llama-server otherwise counts special tokens that are written in a text, such as "<|im_end|>", as one token each.
    tokenizer: { path: "/tokenize", body: (_model, content) => ({ content, parse_special: false }) },
  },
  ollama: {
    ...COMMON,
    extraParams: new Set(["think"]),
    passedOver: {
      chat: new Set([...PASSED_OVER_BY_OLLAMA, "chat_template_kwargs", "parallel_tool_calls", "tool_choice"]),
      completion: new Set([...PASSED_OVER_BY_OLLAMA, "echo", "logprobs"]),
      embedding: NOTHING,
    },
    toOwnFields: toOllamaFields,
    cutsPrompts: true,
    takesOnlyTexts: true,
  },
  "lm-studio": { ...COMMON, extraParams: new Set(["repeat_penalty"]) },
  responses: {
    ...COMMON,
    extraParams: new Set(["prompt_cache_key", "safety_identifier", "verbosity"]),
    passedOver: {
      chat: new Set(WITHOUT_PLACE_AT_RESPONSES),
      completion: new Set([...WITHOUT_PLACE_AT_RESPONSES, "echo", "logprobs", "suffix"]),
      embedding: NOTHING,
    },
  },
  anthropic: {
    ...COMMON,
    extraParams: new Set(["thinking"]),
    passedOver: {
      chat: new Set([...WITHOUT_PLACE_AT_ANTHROPIC, "chat_template_kwargs", "logprobs", "metadata", "top_logprobs"]),
      completion: new Set([...WITHOUT_PLACE_AT_ANTHROPIC, "echo", "logprobs", "suffix"]),
      embedding: NOTHING,
    },
    takesOnlyTexts: true,
  },
  bedrock: {
    ...COMMON,
    extraParams: new Set(["thinking"]),
    passedOver: {
      chat: new Set([...WITHOUT_PLACE_AT_BEDROCK, "chat_template_kwargs", "logprobs", "metadata", "top_logprobs"]),
      completion: new Set([...WITHOUT_PLACE_AT_BEDROCK, "echo", "logprobs", "suffix"]),
      embedding: NOTHING,
    },
    takesOnlyTexts: true,
  },
  gemini: GOOGLE,
  vertex: GOOGLE,
  cohere: {
    ...COMMON,
    extraParams: new Set([...COHERE_EMBEDDING_PARAMS, ...COHERE_RERANK_PARAMS]),
    passedOver: {
      chat: new Set([
        ...WITHOUT_PLACE_AT_COHERE,
        "chat_template_kwargs",
        "metadata",
        "parallel_tool_calls",
        "top_logprobs",
      ]),
      completion: new Set([...WITHOUT_PLACE_AT_COHERE, "echo", "suffix"]),
      embedding: new Set([...COHERE_RERANK_PARAMS, "user"]),
    },
    takesOnlyTexts: true,
  },
  other: COMMON,
};

/** Returns the body with llama-server's own name for the repetition penalty. */
function toLlamaServerFields({ repetition_penalty: penalty, ...body }: Body): Body {
  return penalty === undefined ? body : { repeat_penalty: penalty, ...body };
}

/** Efforts that not every version of Ollama knows, and the nearest that all know. */
const OLLAMA_EFFORTS: ReadonlyMap<unknown, string> = new Map([
  ["minimal", "low"],
  ["xhigh", "high"],
]);

/** Returns the body with a single prompt as a text, since Ollama's OpenAI-compatible API takes no list of prompts. */
function toOllamaFields({ prompt, ...body }: Body): Body {
  const fields = toOllamaEffort(body);
  if (prompt === undefined) return fields;
  return { ...fields, prompt: Array.isArray(prompt) && prompt.length === 1 ? prompt[0] : prompt };
}

/**
 * Returns the body with the effort of reasoning, the only field about reasoning that Ollama's OpenAI-compatible API takes.
 * Without it, a model that can think does, so nothing is sent to switch thinking on. Only gpt-oss takes another effort than
 * "none".
 */
function toOllamaEffort({ think, ...body }: Body): Body {
  const { chat_template_kwargs: kwargs, reasoning_effort: given } = body;
  const isOff = think === false || (isRecord(kwargs) && kwargs.enable_thinking === false);
  const effort = given ?? (isOff ? "none" : think === true ? undefined : think);
  if (effort === undefined) return body;
  return { ...body, reasoning_effort: OLLAMA_EFFORTS.get(effort) ?? effort };
}

/** Program by the `owned_by` of its models in `GET /v1/models`. */
const PROGRAM_BY_OWNER: Readonly<Record<string, Program>> = {
  vllm: "vllm",
  sglang: "sglang",
  llamacpp: "llama-server",
  library: "ollama",
  organization_owner: "lm-studio",
  "feather-engine": "engine",
};

/** Returns the program for an `owned_by` in a list of models; `other` if it is unknown. */
export function programOf(ownedBy: unknown): Program {
  return (typeof ownedBy === "string" && PROGRAM_BY_OWNER[ownedBy]) || "other";
}
