import { errors } from "../../core/errors/index.ts";
import type { Backend } from "../backends/registry.ts";
import type { CallBody, CallKind } from "../call.ts";
import { isRecord } from "../reported-usage.ts";

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
};

/** Returns the names of the fields of a call that a backend does not accept. */
export function findIgnoredFields(backend: Backend, kind: CallKind, body: CallBody): string[] {
  const ignored: string[] = [];
  for (const field of Object.keys(body))
    if (!CONTRACT_FIELDS[kind].has(field) && !backend.extraParams.has(field)) ignored.push(field);
  return ignored;
}

/**
 * Returns the backends that accept every field of a call. Throws `unsupported_parameter` if there are backends, but none of
 * them does.
 */
export function filterStrictBackends({ backends, kind, body, ignored }: StrictCall): Backend[] {
  const matching =
    ignored.length > 0 ? [] : backends.filter((backend) => findIgnoredFields(backend, kind, body).length === 0);
  const [first] = backends;
  if (matching.length > 0 || !first) return matching;
  const unsupported = [...ignored, ...findIgnoredFields(first, kind, body)];
  const [field = ""] = unsupported;
  throw errors.unsupportedParameter(`${field} is not known to what runs this model.`, {
    param: field,
    details: { unsupported },
  });
}

type StrictCall = { backends: readonly Backend[]; kind: CallKind; body: CallBody; ignored: readonly string[] };

/** Returns the body for a backend: with its own name for the model, and without the fields that it does not accept. */
export function toUpstreamBody(backend: Backend, kind: CallKind, body: CallBody, modelKey: string): object {
  const ignored = findIgnoredFields(backend, kind, body);
  const upstreamBody: Record<string, unknown> = { ...body, model: backend.models.get(modelKey) ?? modelKey };
  for (const field of ignored) delete upstreamBody[field];
  // Usage is always requested, because the usage row is written from it.
  if (body.stream) upstreamBody.stream_options = { include_usage: true };
  else delete upstreamBody.stream_options;
  return upstreamBody;
}

/**
 * Returns the body with the options by which a backend continues the assistant's message at the end of the conversation.
 * Backends whose program has no such option get the body unchanged.
 */
export function withContinuedAnswer(backend: Backend, body: CallBody): CallBody {
  const last: unknown = Array.isArray(body.messages) ? body.messages.at(-1) : undefined;
  const isOpen = isRecord(last) && last.role === "assistant" && last.tool_calls === undefined;
  const isTold = body.continue_final_message !== undefined || body.add_generation_prompt !== undefined;
  if (!isOpen || isTold || !backend.extraParams.has("continue_final_message")) return body;
  const isGenerated = backend.extraParams.has("add_generation_prompt") ? { add_generation_prompt: false } : {};
  return { ...body, continue_final_message: true, ...isGenerated };
}
