import { errors } from "../../platform/core/errors/index.ts";
import { findLeftOut } from "../apis/left-out.ts";
import { type Backend, isOwnBackend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import type { CallBody, CallKind } from "../formats/parsed-request.ts";
import type { Priority } from "../limits/priority.ts";
import { UnsuitableBackendError } from "../upstream-errors.ts";
import { isRecord } from "../usage/reported-usage.ts";

const SAMPLING_FIELDS = [
  "frequency_penalty",
  "include_stop_str_in_output",
  "logit_bias",
  "max_tokens",
  "min_p",
  "min_tokens",
  "model",
  "n",
  "presence_penalty",
  "repetition_penalty",
  "seed",
  "stop",
  "stop_token_ids",
  "stream",
  "stream_options",
  "temperature",
  "top_k",
  "top_p",
  "user",
];

/** Fields that the contract describes, by kind of call. They are sent to every backend. */
export const CONTRACT_FIELDS: Readonly<Record<CallKind, ReadonlySet<string>>> = {
  chat: new Set([
    ...SAMPLING_FIELDS,
    "chat_template_kwargs",
    "logprobs",
    "messages",
    "metadata",
    "parallel_tool_calls",
    "reasoning_effort",
    "response_format",
    "tool_choice",
    "tools",
    "top_logprobs",
  ]),
  completion: new Set([...SAMPLING_FIELDS, "echo", "logprobs", "prompt", "suffix"]),
  embedding: new Set(["dimensions", "encoding_format", "input", "model", "user"]),
  rerank: new Set(["documents", "model", "query"]),
  moderation: new Set(["input", "model"]),
  image: new Set([
    "background",
    "model",
    "n",
    "output_compression",
    "output_format",
    "prompt",
    "quality",
    "response_format",
    "size",
    "style",
    "user",
  ]),
  speech: new Set(["input", "instructions", "model", "response_format", "speed", "voice"]),
  transcription: new Set([
    "file",
    "language",
    "model",
    "prompt",
    "response_format",
    "stream",
    "temperature",
    "timestamp_granularities",
  ]),
  translation: new Set(["file", "model", "prompt", "response_format", "temperature"]),
};

/** The field that holds the prompt; `tokens` is a call for the tokens of a text. */
export const PROMPT_FIELDS: Readonly<Record<CallKind | "tokens", string>> = {
  chat: "messages",
  completion: "prompt",
  embedding: "input",
  rerank: "documents",
  moderation: "input",
  image: "prompt",
  speech: "input",
  transcription: "prompt",
  translation: "prompt",
  tokens: "text",
};

/** Names of the fields of a call, and of parts of it, that a backend does not accept, or takes and passes over. */
export function findIgnoredFields(backend: Backend, kind: CallKind, body: CallBody): string[] {
  const ignored: string[] = [];
  const passedOverByKind: Readonly<Partial<Record<CallKind, ReadonlySet<string>>>> = backend.dialect.passedOver;
  const passedOver = passedOverByKind[kind];
  for (const field of Object.keys(body)) {
    const isUnknown = !CONTRACT_FIELDS[kind].has(field) && !backend.extraParams.has(field);
    if (isUnknown || (passedOver?.has(field) === true && !asksNothing(field, body[field]))) ignored.push(field);
  }
  return [...ignored, ...findLeftOut(backend.api.leftOut, body)];
}

/** The values that ask for what every program does by itself. */
const DEFAULTS: Readonly<Record<string, readonly unknown[]>> = {
  echo: [false],
  include_stop_str_in_output: [false],
  logprobs: [false, 0],
  min_p: [0],
  min_tokens: [0],
  n: [1],
  parallel_tool_calls: [true],
  repetition_penalty: [1],
  tool_choice: ["auto"],
  top_k: [-1, 0],
};
/** Switches of templates that programs which read none are told as the effort of reasoning. */
const SWITCHES_OF_THINKING: ReadonlySet<string> = new Set(["enable_thinking", "thinking"]);

function asksNothing(field: string, value: unknown): boolean {
  if (field === "chat_template_kwargs" && isRecord(value))
    return Object.keys(value).every((name) => SWITCHES_OF_THINKING.has(name));
  const isEmpty = (Array.isArray(value) || isRecord(value)) && Object.keys(value).length === 0;
  return isEmpty || DEFAULTS[field]?.includes(value) === true;
}

/** Throws an `UnsuitableBackendError` for prompts in a form that the backend does not take. */
export function refuseUntakenPrompt({ dialect }: Backend, { kind, body, model }: ResolvedCall): void {
  const field = kind === "embedding" ? "input" : "prompt";
  const given = body[field];
  if (!dialect.takesOnlyTexts || !Array.isArray(given)) return;
  const holdsTokens = given.some((item) => typeof item !== "string");
  if (!holdsTokens && (kind === "embedding" || given.length === 1)) return;
  const form = holdsTokens ? "texts and no token ids" : "one prompt at a time";
  const refusal = errors.unsupportedParameter(`What runs ${model.id} takes ${form}.`, { param: field });
  throw new UnsuitableBackendError(refusal, { isLasting: false });
}

/**
 * Returns the backends that accept every field of a call. Throws `unsupported_parameter` if there are backends, but none of
 * them does.
 */
export function filterStrictBackends({ backends, ...call }: StrictCall): Backend[] {
  const { kind, body, ignored } = call;
  const findUntaken = (backend: Backend) => [
    ...findUncarriedPaths(backend, call),
    ...findIgnoredFields(backend, kind, body),
  ];
  const matching = ignored.length > 0 ? [] : backends.filter((backend) => findUntaken(backend).length === 0);
  const [first] = backends;
  if (matching.length > 0 || !first) return matching;
  const unsupported = [...ignored, ...findUntaken(first)];
  const [field = ""] = unsupported;
  throw errors.unsupportedParameter(`${field} is not known to what runs this model.`, {
    param: field,
    details: { unsupported },
  });
}

type StrictCall = Pick<ResolvedCall, "kind" | "body" | "ignored" | "carried" | "model"> & {
  backends: readonly Backend[];
};

/** Returns the paths of a call's parts that only some APIs have a place for, and that of the backend has not. */
export function findUncarriedPaths(
  backend: Backend,
  { carried, model }: Pick<ResolvedCall, "carried" | "model">,
): string[] {
  if (carried === undefined) return [];
  const name = toOwnName(backend, model.key);
  return carried.paths.filter((path) => !backend.api.carries(path, name));
}

/** Returns a backend's own name for a model. */
function toOwnName({ models }: Backend, modelKey: string): string {
  return models.get(modelKey) ?? modelKey;
}

/** Returns the body for a backend: with its own name for the model, and without the fields that it does not accept. */
export function toUpstreamBody(backend: Backend, kind: CallKind, body: CallBody, modelKey: string): CallBody {
  const ignored = findIgnoredFields(backend, kind, body);
  const upstreamBody: CallBody = { ...body, model: toOwnName(backend, modelKey) };
  for (const field of ignored) delete upstreamBody[field];
  return backend.dialect.toOwnFields(upstreamBody);
}

/** The kinds of calls that programs order by priority. */
const ORDERED_KINDS: ReadonlySet<CallKind> = new Set(["chat", "completion", "embedding"]);

/**
 * Returns the body with the priority by which a backend orders the calls that wait there, lower ones first: 0 for interactive
 * calls, 1 for batches. Unchanged for a backend that does not order calls, or refuses to be given priorities.
 */
export function withPriority(backend: Backend, kind: CallKind, body: CallBody, priority: Priority): CallBody {
  const isOrdered = isOwnBackend(backend) || backend.parameters?.includes("priority") === true;
  if (!isOrdered || !backend.dialect.readsPriority || !ORDERED_KINDS.has(kind)) return body;
  return { ...body, priority: priority === "batch" ? 1 : 0 };
}

/** Returns whether a backend has an option to continue the assistant's message at the end of the conversation. */
export const canContinueAnswer = ({ extraParams }: Pick<Backend, "extraParams">): boolean =>
  extraParams.has("continue_final_message");

/**
 * Returns the body with the options by which a backend continues the assistant's message at the end of the conversation.
 * Backends whose program has no such option get the body unchanged.
 */
export function withContinuedAnswer(backend: Backend, body: CallBody): CallBody {
  const last: unknown = Array.isArray(body.messages) ? body.messages.at(-1) : undefined;
  const isOpen = isRecord(last) && last.role === "assistant" && last.tool_calls === undefined;
  const isTold = body.continue_final_message !== undefined || body.add_generation_prompt !== undefined;
  if (!isOpen || isTold || !canContinueAnswer(backend)) return body;
  const isGenerated = backend.extraParams.has("add_generation_prompt") ? { add_generation_prompt: false } : {};
  return { ...body, continue_final_message: true, ...isGenerated };
}
