import type { SignedInActor } from "../core/auth/actor.ts";
import { AppError, errors } from "../core/errors/index.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { ModelHost } from "./model-host.ts";
import type { CallableModel, CallerPlan, ModelLookup } from "./ports.ts";
import { admitKey, admitPlan } from "./stages/admit.ts";
import { getEffectiveContext } from "./stages/prepare.ts";
import { type Units, unitsOf } from "./units.ts";

/** The body of a preflight request, as in the contract. */
export type PreflightRequest = {
  model: string;
  prompt_tokens?: number | null | undefined;
  max_tokens?: number | null | undefined;
  prompts?: number | null | undefined;
};

type Deps = {
  models: ModelLookup;
  registry: BackendRegistry;
  modelHost: ModelHost;
  units: Units;
  currentPlan(organizationId: string): Promise<CallerPlan>;
  /** The maximum cost of a call in nano-USD; null when the model has no price. */
  estimateMaxCost(
    model: CallableModel,
    tokens: { promptTokens: number; completionTokens: number },
  ): Promise<bigint | null>;
  /** Available credits of an organization in nano-USD. */
  creditsOf(organizationId: string): Promise<bigint>;
};

const DEFAULT_ANSWER_TOKENS = 4096;

/** Reports whether a call would be admitted now, and its cost. It reserves nothing and loads no model. */
export function createPreflight(deps: Deps) {
  const { models, registry, modelHost, units, currentPlan } = deps;

  async function readTier(key: string) {
    const { tier } = registry.availability(key);
    if (tier === "warm") return { tier, readyAt: null };
    const loading = await modelHost.state(key);
    return loading ? { tier: loading.tier, readyAt: loading.readyAt } : { tier, readyAt: null };
  }

  async function readCredits(actor: SignedInActor, plan: CallerPlan, model: CallableModel, request: PreflightRequest) {
    if (plan.plan.billing_mode !== "request_pricing") return null;
    const promptTokens = request.prompt_tokens ?? 0;
    const completionTokens = (request.max_tokens ?? DEFAULT_ANSWER_TOKENS) * (request.prompts ?? 1);
    const [needed, available] = await Promise.all([
      deps.estimateMaxCost(model, { promptTokens, completionTokens }),
      deps.creditsOf(actor.organizationId),
    ]);
    return { needed: needed ?? 0n, available };
  }

  return async (actor: SignedInActor, request: PreflightRequest) => {
    const [model, plan, unitsInUse] = await Promise.all([
      models.find(request.model, actor.organizationId),
      currentPlan(actor.organizationId),
      units.snapshot(actor.organizationId),
    ]);
    const cost = model.cost * (request.prompts ?? 1);
    const limit = unitsOf(plan);
    const context = getEffectiveContext(model, plan);
    const [{ tier, readyAt }, credits] = await Promise.all([
      readTier(model.key),
      readCredits(actor, plan, model, request),
    ]);
    const refusal =
      catchRefusal(() => admitKey(actor, model)) ??
      catchRefusal(() => admitPlan(plan, model)) ??
      checkContext(model, context, request.prompt_tokens ?? 0) ??
      checkTier(model, tier) ??
      checkUnits(model, cost, limit, unitsInUse.used) ??
      checkCredits(credits);
    return {
      admitted: refusal === null,
      refusal: refusal && { status: refusal.status, code: refusal.code, message: refusal.message },
      model: model.id,
      model_class: model.classId,
      tier,
      estimated_ready_at: readyAt?.toISOString() ?? null,
      units: { cost, used: unitsInUse.used, limit },
      context_length: context,
      max_completion_tokens: model.maxCompletionTokens,
      credits: credits && { needed_nano_usd: String(credits.needed), available_nano_usd: String(credits.available) },
    };
  };
}

export type Preflight = ReturnType<typeof createPreflight>;

function catchRefusal(check: () => void): AppError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function checkContext({ id, contextLength }: CallableModel, context: number, promptTokens: number): AppError | null {
  if (promptTokens < context) return null;
  return promptTokens < contextLength
    ? errors.planContextExceeded(`The plan goes up to ${context} tokens of context.`)
    : errors.contextLengthExceeded(`The context of ${id} holds ${contextLength} tokens.`);
}

function checkTier({ id }: CallableModel, tier: string): AppError | null {
  if (tier === "warm") return null;
  if (tier === "offline") return errors.capacityExhausted(`No backend runs ${id} just now.`);
  return errors.modelLoading(`${id} has to be loaded first; a call starts that.`);
}

function checkUnits({ id }: CallableModel, cost: number, limit: number | null, used: number): AppError | null {
  if (limit === null || used + cost <= limit) return null;
  return cost > limit
    ? errors.modelNotOnPlan(`The call needs ${cost} units and you have ${limit} (plan limit: ${limit}).`)
    : errors.concurrencyLimitExceeded(`${used} of ${limit} units are busy and ${id} needs ${cost}.`);
}

function checkCredits(credits: { needed: bigint; available: bigint } | null): AppError | null {
  if (credits === null || credits.available >= credits.needed) return null;
  return errors.insufficientCredits("The call may cost more than the credits available.");
}
