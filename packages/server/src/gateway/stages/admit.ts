import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Call } from "../call.ts";
import { type CallBody, isWholeKind } from "../formats/parsed-request.ts";
import { countPrompts, estimateMinTokens } from "../formats/token-estimates.ts";
import type { CallableModel, CallerPlan } from "../ports.ts";
import { PROMPT_FIELDS } from "../upstream/parameters.ts";
import { isRecord } from "../usage/reported-usage.ts";
import { getEffectiveContext } from "./effective-context.ts";

/** Throws `key_scope_denied` when the API key may not call the model. */
export function admitKey({ credential }: SignedInActor, model: CallableModel): void {
  if (credential.type !== "key") return;
  const { allowedModels } = credential.limits;
  const allowed = allowedModels.length === 0 || allowedModels.some((id) => id.toLowerCase() === model.id.toLowerCase());
  if (!allowed)
    throw errors.keyScopeDenied(`This API key may not call ${model.id}.`, {
      param: "model",
      details: { allowed_models: allowedModels },
    });
}

/** Throws `plan_suspended`, and `model_not_on_plan` when the plan does not include the model. */
export function admitPlan(
  { plan, subscription }: Pick<CallerPlan, "plan" | "subscription">,
  model: Pick<CallableModel, "id" | "planIds" | "parameterSize">,
): void {
  if (subscription?.status === "paused") throw errors.planSuspended();
  if (model.planIds !== null && !model.planIds.includes(plan.id))
    throw errors.modelNotOnPlan(`${model.id} is not in the plan ${plan.name}.`, {
      param: "model",
      details: { plan_id: plan.id, plan_ids: model.planIds },
    });
  const { max_model_size: maxSize } = plan;
  if (maxSize === null || (model.parameterSize !== null && model.parameterSize <= maxSize)) return;
  const limit = `the plan ${plan.name} goes up to ${formatSize(maxSize)} parameters.`;
  throw errors.modelNotOnPlan(
    model.parameterSize === null
      ? `The size of ${model.id} is not known here, and ${limit} An administrator can enter it.`
      : `${model.id} has ${formatSize(model.parameterSize)} parameters; ${limit}`,
    {
      param: "model",
      details: { plan_id: plan.id, max_model_size: maxSize, parameter_size: model.parameterSize },
    },
  );
}

function formatSize(parameters: number): string {
  return `${Math.round(parameters / 1e8) / 10}B`;
}

/** The input modality that each type of message part requires. */
const MODALITY_BY_PART_TYPE: Readonly<Record<string, string>> = {
  image_url: "image",
  input_audio: "audio",
  audio_url: "audio",
  video_url: "video",
  file: "file",
};

/** Throws `unsupported_modality` for message parts that the model does not accept. */
export function admitModalities(body: CallBody, model: CallableModel): void {
  if (!Array.isArray(body.messages)) return;
  for (const [at, message] of body.messages.entries()) {
    if (!isRecord(message) || !Array.isArray(message.content)) continue;
    for (const [index, part] of message.content.entries()) {
      if (!isRecord(part)) continue;
      const needed = MODALITY_BY_PART_TYPE[String(part.type)];
      if (needed !== undefined && !model.inputModalities.includes(needed))
        throw unsupportedModality(model, needed, `messages[${at}].content[${index}]`);
    }
  }
}

function unsupportedModality(model: CallableModel, modality: string, param: string): AppError {
  const supported = model.inputModalities.join(", ") || "text";
  return errors.unsupportedModality(
    { model: model.id, modality, supported },
    {
      param,
      details: { modality, input_modalities: model.inputModalities },
    },
  );
}

/**
 * Throws `plan_context_exceeded` or `context_length_exceeded` for a prompt whose minimum estimate exceeds the context,
 * before a backend has to refuse it.
 */
export function refuseOversizedPrompt(
  { kind, body, exchange, format }: Call,
  model: CallableModel,
  current: CallerPlan,
): void {
  const context = getEffectiveContext(model, current);
  // A prompt has at least as many characters as tokens. Batches have their own limit.
  const fits = context !== null && (exchange.bodyBytes <= context || countCharacters(body) <= context);
  if (fits || (context === null && !isWholeKind(kind))) return;
  if (isWholeKind(kind)) refuseLargeBatch(body, PROMPT_FIELDS[kind]);
  const minTokens = Math.ceil(estimateMinTokens(body) / countPrompts(body));
  const toCallerFields = format.toCallerFields ?? ((given: string) => given);
  refuseTokens(minTokens, model, current, toCallerFields(PROMPT_FIELDS[kind]));
}

/**
 * Throws `plan_context_exceeded` or `context_length_exceeded` if the given number of prompt tokens does not fit the
 * context.
 */
export function refuseTokens(tokens: number, model: CallableModel, current: CallerPlan, param: string): void {
  const context = getEffectiveContext(model, current);
  if (context === null || tokens < context) return;
  const numbers = { max: context, got: tokens };
  const own = model.contextLength === null ? "" : ` (${model.id} to ${model.contextLength})`;
  if (tokens < (model.contextLength ?? Number.POSITIVE_INFINITY))
    throw errors.planContextExceeded(
      `The prompt has ${tokens} tokens or more; the plan ${current.plan.name} goes up to ${context}${own}.`,
      { param, details: { ...numbers, plan_id: current.plan.id } },
    );
  throw errors.contextLengthExceeded(
    `The prompt has ${tokens} tokens or more; the context of ${model.id} holds ${context}. Shorten it.`,
    { param, details: numbers },
  );
}

/** The limit of tokens in all texts of one call for vectors, as at OpenAI, or for scores. */
const MAX_BATCH_TOKENS = 300_000;

/** Limits a batch of texts as a whole. Backends check each text against the model's context. */
function refuseLargeBatch(body: CallBody, param: string): void {
  const tokens = estimateMinTokens(body);
  if (tokens <= MAX_BATCH_TOKENS) return;
  throw errors.invalidRequest(
    `All texts together may have ${MAX_BATCH_TOKENS} tokens; these have ${tokens} or more. Send them in several requests.`,
    { param, details: { max: MAX_BATCH_TOKENS, got: tokens } },
  );
}

function countCharacters({ messages, prompt, input, documents, query = "" }: CallBody): number {
  if (typeof prompt === "string") return prompt.length;
  return JSON.stringify(messages ?? prompt ?? input ?? [query, documents]).length;
}
