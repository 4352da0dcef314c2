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

/** Programs that serve models and whose APIs differ. `other` is any OpenAI-compatible address. */
export type Program = "engine" | "vllm" | "sglang" | "llama-server" | "ollama" | "lm-studio" | "other";

/** A program's tokenizer endpoint: its path from the root of the address, and the request body. */
export type TokenizerEndpoint = { path: string; body(model: string, text: string): object };

/** How a program's API differs from OpenAI's. */
export type Dialect = {
  /** Fields that it accepts in addition to those of every backend. */
  extraParams: ReadonlySet<string>;
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

/** The dialect of each program. */
export const DIALECTS: Readonly<Record<Program, Dialect>> = {
  engine: {
    extraParams: new Set(["repeat_penalty"]),
    tokenizer: { path: "/v1/tokenize", body: (_model, text) => ({ text }) },
  },
  vllm: {
    extraParams: new Set(VLLM_PARAMS),
    tokenizer: { path: "/tokenize", body: (model, prompt) => ({ model, prompt, add_special_tokens: false }) },
  },
  sglang: { extraParams: new Set(SGLANG_PARAMS), tokenizer: null },
  "llama-server": {
    extraParams: new Set(LLAMA_SERVER_PARAMS),
    tokenizer: { path: "/tokenize", body: (_model, content) => ({ content }) },
  },
  ollama: { extraParams: new Set(["think"]), tokenizer: null },
  "lm-studio": { extraParams: new Set(["repeat_penalty"]), tokenizer: null },
  other: { extraParams: new Set(), tokenizer: null },
};

/** The program for an `owned_by` in `GET /v1/models`. */
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
