import { toSendable, toWellFormedValue } from "../../platform/core/exact-json.ts";
import { NO_OWN_KEYS } from "../backends/own-keys.ts";
import type { Call, ResolvedCall } from "../call.ts";
import { rebuildMessages } from "../formats/chat-messages.ts";
import { arrangeMessages } from "../formats/conversation.ts";
import { type Fields, omitNullish } from "../formats/fields.ts";
import type { RemoteMedia } from "../formats/media-address.ts";
import { type CallBody, isWholeKind } from "../formats/parsed-request.ts";
import { countAnswers, countPrompts, estimatePromptTokens } from "../formats/token-estimates.ts";
import { computeMaxUnits, unitsOf } from "../limits/unit-requests.ts";
import type { CallableModel, CallerPlan } from "../ports.ts";
import { isRecord } from "../usage/reported-usage.ts";
import { getEffectiveContext } from "./effective-context.ts";
import { getKeyUnits } from "./reserve.ts";

/** Names of the option for thinking in the chat templates of different models. */
const THINKING_SWITCHES = ["enable_thinking", "thinking", "do_reasoning"];

/** A body in the form that backends get, the message fields that were dropped, and those that only some backends take. */
type PreparedBody = { body: CallBody; dropped: string[]; carried: string[] };
/** The model of a call, the plan whose limits apply, and which media addresses are sent to backends. */
type ResolveOptions = { model: CallableModel; plan: CallerPlan; remoteMedia: RemoteMedia };

/** Returns a call with its model, its plan, its cost in units, and the body that the model accepts. */
export function resolveCall(call: Call, options: ResolveOptions): ResolvedCall {
  const { model, plan } = options;
  const { body, dropped, carried } = prepareBody(call, options);
  return {
    ...call,
    body,
    carried: call.carried ?? (carried.length > 0 ? { paths: carried } : undefined),
    ignored: [...new Set([...call.ignored, ...dropped])],
    model,
    plan,
    cost:
      isWholeKind(call.kind) && call.kind !== "image"
        ? costOfBatch({ ...call, body }, options)
        : model.cost * countAnswers(body),
    queuedMs: 0,
    backends: [],
    ownKeys: NO_OWN_KEYS,
    prompt: null,
  };
}

/**
 * Returns the units of a call for vectors or scores: those of the model for each text, but at most those of plan and key. A large
 * batch is one request to the backend, so it is not refused as several prompts would be.
 */
function costOfBatch({ body, actor }: Pick<Call, "body" | "actor">, { model, plan }: ResolveOptions): number {
  const maxUnits = Math.max(model.cost, computeMaxUnits(unitsOf(plan), getKeyUnits(actor)));
  return Math.min(model.cost * countPrompts(body), maxUnits);
}

/**
 * Normalizes a body for models: messages in the gateway's form, one name for each parameter, `max_tokens` within the
 * context, and no text that strict JSON parsers reject.
 */
function prepareBody(call: Pick<Call, "kind" | "body">, { model, plan, remoteMedia }: ResolveOptions): PreparedBody {
  const body = toSendableBody(withoutEmptyFields(call.body));
  if (isWholeKind(call.kind)) return { body, dropped: [], carried: [] };
  const { max_completion_tokens, ...others } = body;
  const prepared: CallBody = { ...others, ...toGreedySampling(body) };
  const rebuilt = rebuildMessages(Array.isArray(body.messages) ? body.messages : [], remoteMedia);
  const arranged = arrangeMessages(rebuilt.messages);
  if (Array.isArray(body.messages)) prepared.messages = arranged.messages;
  if (isRecord(body.chat_template_kwargs))
    prepared.chat_template_kwargs = normalizeThinkingSwitch(body.chat_template_kwargs);
  const requested = max_completion_tokens ?? body.max_tokens ?? null;
  const limit = computeAnswerLimit(requested, prepared, model, plan);
  if (limit === null) delete prepared.max_tokens;
  else prepared.max_tokens = limit;
  const dropped = [...rebuilt.dropped, ...arranged.dropped, ...findUnusedStreamOptions(body)];
  return { body: prepared, dropped, carried: rebuilt.carried };
}

/** Replaces unpaired surrogates, and keeps the spelling of numbers in schemas. */
function toSendableBody(body: CallBody): CallBody {
  const { tools, response_format, ...others } = body;
  const carried = toSendable(omitNullish({ tools, response_format }));
  return { ...body, ...(toWellFormedValue(others) as Fields), ...(carried as Fields) };
}

/** Replaces a `top_p` of 0, which allows only the likeliest token, by a temperature of 0: backends reject a `top_p` of 0. */
function toGreedySampling({ top_p }: CallBody): Fields {
  return top_p === 0 ? { top_p: 1, temperature: 0 } : {};
}

/** Returns the stream options that backends are not sent: all but `include_usage`, and all of them without a stream. */
function findUnusedStreamOptions({ stream, stream_options: options }: CallBody): string[] {
  if (!isRecord(options)) return [];
  const unused = Object.entries(options).filter(([name, value]) => {
    if (value === undefined || value === null || value === false) return false;
    return stream !== true || name !== "include_usage";
  });
  return unused.map(([name]) => `stream_options.${name}`);
}

/**
 * Leaves out fields without effect that some backends reject: nulls, an empty list of tools, and without tools the fields
 * about their use.
 */
function withoutEmptyFields(body: CallBody): CallBody {
  const { tools, response_format: format, tool_choice: choice, parallel_tool_calls, ...others } = body;
  const hasTools = Array.isArray(tools) && tools.length > 0;
  const saysNothing = !hasTools && (choice === "auto" || choice === "none");
  return {
    ...omitNullish(others),
    model: body.model,
    ...(hasTools && { tools: tools.map(toolWithoutNulls) }),
    ...omitNullish({
      tool_choice: saysNothing ? undefined : choice,
      parallel_tool_calls: hasTools ? parallel_tool_calls : undefined,
    }),
    ...(isRecord(format) && { response_format: formatWithoutNulls(format) }),
    ...(typeof format === "string" && { response_format: format }),
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

function normalizeThinkingSwitch(kwargs: Record<string, unknown>): Record<string, unknown> {
  const values = THINKING_SWITCHES.map((name) => kwargs[name]).filter((value) => value !== undefined && value !== null);
  if (values.length === 0) return kwargs;
  const on = !values.includes(false);
  const { do_reasoning: _, ...others } = kwargs;
  return { ...others, enable_thinking: on, thinking: on };
}

function computeAnswerLimit(
  requested: number | null,
  body: CallBody,
  model: CallableModel,
  plan: CallerPlan,
): number | null {
  const context = getEffectiveContext(model, plan) ?? Number.POSITIVE_INFINITY;
  const maxTokens = Math.min(
    requested ?? Number.POSITIVE_INFINITY,
    model.maxCompletionTokens ?? Number.POSITIVE_INFINITY,
  );
  // If the model's context is unknown, the plan's may be more than the backend accepts. The backend then applies its own
  // limit.
  const isLimitedByPlan = model.contextLength !== null && context < model.contextLength;
  if (requested === null && !isLimitedByPlan) return null;
  if (requested !== null && requested < context / 2 && maxTokens === requested) return requested; // leaves enough room without an estimate of the prompt
  return Math.max(1, Math.min(maxTokens, context - Math.ceil(estimatePromptTokens(body) / countPrompts(body))));
}
