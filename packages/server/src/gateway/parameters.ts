import { AppError } from "../shared/errors.ts";
import type { Backend } from "./backends/registry.ts";
import type { CallBody, CallKind } from "./call.ts";

const SAMPLING = [
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

/** Fields that the contract describes. Every backend is sent them, besides those of which it is known that it drops them. */
export const FIELDS: Readonly<Record<CallKind, ReadonlySet<string>>> = {
  chat: new Set([
    ...SAMPLING,
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
  completion: new Set([...SAMPLING, "echo", "logprobs", "prompt", "suffix"]),
  embedding: new Set(["dimensions", "encoding_format", "input", "model", "user"]),
};

/** Fields of a call that a backend does not know. */
export function ignoredBy(backend: Backend, kind: CallKind, body: CallBody): string[] {
  const takes = (field: string) => (FIELDS[kind].has(field) ? !backend.lacks.has(field) : backend.extras.has(field));
  return Object.keys(body).filter((field) => !takes(field));
}

/** The backends that know every field of a call, for those who want none ignored. */
export function strictBackends({ backends, kind, body, ignored }: StrictCall): Backend[] {
  const fit = ignored.length > 0 ? [] : backends.filter((backend) => ignoredBy(backend, kind, body).length === 0);
  const [first] = backends;
  if (fit.length > 0 || !first) return fit;
  const unsupported = [...ignored, ...ignoredBy(first, kind, body)];
  const [field = ""] = unsupported;
  throw new AppError(400, "unsupported_parameter", `${field} is not known to what runs this model.`, {
    param: field,
    details: { unsupported },
  });
}

type StrictCall = { backends: readonly Backend[]; kind: CallKind; body: CallBody; ignored: readonly string[] };

/** The body as a backend gets it: its own name of the model, and no field that it does not know. */
export function upstreamBody(backend: Backend, kind: CallKind, body: CallBody, modelKey: string): object {
  const ignored = ignoredBy(backend, kind, body);
  const sent: Record<string, unknown> = { ...body, model: backend.models.get(modelKey) ?? modelKey };
  for (const field of ignored) delete sent[field];
  // Usage is always asked for: it is what the receipt is written from.
  if (body.stream) sent.stream_options = { include_usage: true };
  else delete sent.stream_options;
  return sent;
}
