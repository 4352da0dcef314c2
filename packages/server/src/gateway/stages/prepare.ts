import { errors } from "../../core/errors/index.ts";
import type { Call, CallBody } from "../call.ts";
import { rebuildMessages } from "../formats/chat-messages.ts";
import { type Fields, omitNullish } from "../formats/fields.ts";
import type { RemoteMedia } from "../formats/media-address.ts";
import type { CallableModel, CallerPlan } from "../ports.ts";
import { isRecord } from "../reported-usage.ts";
import { countPrompts, estimateMinTokens, estimatePromptTokens } from "../token-estimates.ts";

/** Names of the thinking switch in the chat templates of different models. */
const THINKING_SWITCHES = ["enable_thinking", "thinking", "do_reasoning"];

/** Tokens of all texts in one embeddings call: OpenAI's limit. */
const MAX_BATCH_TOKENS = 300_000;

/** A body as sent to backends, and the message fields that were dropped. */
type PreparedBody = { body: CallBody; dropped: string[] };
type PrepareOptions = { model: CallableModel; plan: CallerPlan; remoteMedia: RemoteMedia };

/**
 * Normalizes a body for models: only known message fields, one name for each parameter, and `max_tokens` within the
 * context.
 */
export function prepareBody(
  call: Pick<Call, "kind" | "body">,
  { model, plan, remoteMedia }: PrepareOptions,
): PreparedBody {
  const body = withoutNulls(call.body);
  if (call.kind === "embedding") return { body, dropped: [] };
  const { max_completion_tokens, store: _, ...others } = body;
  const prepared: CallBody = { ...others };
  const { messages, dropped } = rebuildMessages(Array.isArray(body.messages) ? body.messages : [], remoteMedia);
  if (Array.isArray(body.messages)) prepared.messages = messages.map(toSystemRole);
  if (isRecord(body.chat_template_kwargs))
    prepared.chat_template_kwargs = normalizeThinkingSwitch(body.chat_template_kwargs);
  const requested = max_completion_tokens ?? body.max_tokens ?? null;
  const limit = computeAnswerLimit(requested, prepared, model, plan);
  if (limit === null) delete prepared.max_tokens;
  else prepared.max_tokens = limit;
  return { body: prepared, dropped };
}

/** Some clients send null for fields they leave out, which not every backend accepts. */
function withoutNulls(body: CallBody): CallBody {
  const { tools, response_format: format, ...others } = body;
  return {
    ...omitNullish(others),
    model: body.model,
    ...(Array.isArray(tools) && { tools: tools.map(toolWithoutNulls) }),
    ...(isRecord(format) && { response_format: formatWithoutNulls(format) }),
  };
}

function toolWithoutNulls(tool: unknown): unknown {
  if (!isRecord(tool)) return tool;
  return { ...omitNullish(tool), ...(isRecord(tool.function) && { function: omitNullish(tool.function) }) };
}

function formatWithoutNulls(format: Fields): Fields {
  return {
    ...omitNullish(format),
    ...(isRecord(format.json_schema) && { json_schema: omitNullish(format.json_schema) }),
  };
}

/** Chat templates have no developer role; newer clients use it in place of system. */
function toSystemRole(message: Fields): Fields {
  return message.role === "developer" ? { ...message, role: "system" } : message;
}

function normalizeThinkingSwitch(kwargs: Record<string, unknown>): Record<string, unknown> {
  const values = THINKING_SWITCHES.map((name) => kwargs[name]).filter((value) => value !== undefined && value !== null);
  if (values.length === 0) return kwargs;
  const on = !values.includes(false);
  const { do_reasoning: _, ...others } = kwargs;
  return { ...others, enable_thinking: on, thinking: on };
}

/** Context length for a call in tokens: the smaller of the model's and the plan's. */
export function getEffectiveContext(model: CallableModel, { plan }: CallerPlan): number {
  return Math.min(model.contextLength, plan.max_context_length ?? Number.POSITIVE_INFINITY);
}

function computeAnswerLimit(
  requested: number | null,
  body: CallBody,
  model: CallableModel,
  plan: CallerPlan,
): number | null {
  const context = getEffectiveContext(model, plan);
  const maxTokens = Math.min(
    requested ?? Number.POSITIVE_INFINITY,
    model.maxCompletionTokens ?? Number.POSITIVE_INFINITY,
  );
  const isLimitedByPlan = context < model.contextLength;
  if (requested === null && !isLimitedByPlan) return null;
  if (requested !== null && requested < context / 2 && maxTokens === requested) return requested; // leaves enough room without an estimate of the prompt
  return Math.max(1, Math.min(maxTokens, context - Math.ceil(estimatePromptTokens(body) / countPrompts(body))));
}

/**
 * Throws `plan_context_exceeded` or `context_length_exceeded` for a prompt that cannot fit the context even at its
 * minimum estimate, before a backend has to refuse it.
 */
export function refuseOversizedPrompt(body: CallBody, model: CallableModel, current: CallerPlan): void {
  const context = getEffectiveContext(model, current);
  if (countCharacters(body) <= context) return; // a token has at least one character
  if (body.input !== undefined) refuseLargeBatch(body);
  const minTokens = Math.ceil(estimateMinTokens(body) / countPrompts(body));
  if (minTokens < context) return;
  const fitsModel = minTokens < model.contextLength;
  const numbers = { max: context, got: minTokens };
  const param = body.messages ? "messages" : body.prompt ? "prompt" : "input";
  if (fitsModel)
    throw errors.planContextExceeded(
      `The prompt has ${minTokens} tokens or more; the plan ${current.plan.name} goes up to ${context} (${model.id} to ${model.contextLength}).`,
      { param, details: { ...numbers, plan_id: current.plan.id } },
    );
  throw errors.contextLengthExceeded(
    `The prompt has ${minTokens} tokens or more; the context of ${model.id} holds ${context}. Shorten it.`,
    { param, details: numbers },
  );
}

/** Limits an embeddings batch as a whole; backends check each text against the model's context. */
function refuseLargeBatch(body: CallBody): void {
  const tokens = estimateMinTokens(body);
  if (tokens <= MAX_BATCH_TOKENS) return;
  throw errors.invalidRequest(
    `All texts together may have ${MAX_BATCH_TOKENS} tokens; these have ${tokens} or more. Send them in several requests.`,
    { param: "input", details: { max: MAX_BATCH_TOKENS, got: tokens } },
  );
}

function countCharacters({ messages, prompt, input }: CallBody): number {
  if (typeof prompt === "string") return prompt.length;
  return JSON.stringify(messages ?? prompt ?? input ?? "").length;
}
