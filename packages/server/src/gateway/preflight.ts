import type { SignedInActor } from "../core/auth/actor.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors/index.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import { type Units, unitsOf } from "./limits/units.ts";
import type { Loading, ModelHost } from "./model-host.ts";
import type { CallableModel, CallerPlan, ModelLookup } from "./ports.ts";
import { admitKey, admitPlan, refuseTokens } from "./stages/admit.ts";
import { toUnitRequest } from "./stages/reserve.ts";
import { modelLoading, noBackend } from "./stages/route.ts";
import { getEffectiveContext } from "./token-estimates.ts";

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
  clock: Clock;
  coldStatus: 400 | 503;
  currentPlan(organizationId: string): Promise<CallerPlan>;
  /** The maximum cost of a call in nano-USD; null when the model has no price. */
  estimateMaxCost(
    model: CallableModel,
    tokens: { promptTokens: number; completionTokens: number },
  ): Promise<bigint | null>;
  /** Available credits of an organization in nano-USD. */
  availableCredits(organizationId: string): Promise<bigint>;
  /** The error for a call that may cost more than the credits available, both in nano-USD. */
  insufficientCredits(available: bigint, needed: bigint): AppError;
};

const DEFAULT_ANSWER_TOKENS = 4096;

/**
 * Returns the function that reports whether a call would be admitted now, and its cost. It asks the same refusals that a
 * call gets, reserves nothing and loads no model.
 */
export function createPreflight(deps: Deps) {
  return async (actor: SignedInActor, request: PreflightRequest) => {
    const { organizationId } = actor;
    const [model, plan, unitsInUse] = await Promise.all([
      deps.models.find(request.model, organizationId),
      deps.currentPlan(organizationId),
      deps.units.snapshot(organizationId),
    ]);
    const cost = model.cost * (request.prompts ?? 1);
    const [loading, credits] = await Promise.all([
      readLoading(deps, model.key),
      readCredits(deps, organizationId, plan, model, request),
    ]);
    const refusal =
      catchRefusal(() => admitKey(actor, model)) ??
      catchRefusal(() => admitPlan(plan, model)) ??
      catchRefusal(() => refuseTokens(request.prompt_tokens ?? 0, model, plan, "prompt_tokens")) ??
      refusalOfLoading(deps, model, loading) ??
      deps.units.refusalOf(toUnitRequest({ id: "preflight", actor, model, plan, cost, bytes: 0 })) ??
      (credits && credits.available < credits.needed
        ? deps.insufficientCredits(credits.available, credits.needed)
        : null);
    return {
      admitted: refusal === null,
      refusal: refusal && { status: refusal.status, code: refusal.code, message: refusal.message },
      model: model.id,
      model_class: model.classId,
      tier: loading === "warm" ? loading : (loading?.tier ?? ("offline" as const)),
      estimated_ready_at: loading === "warm" ? null : (loading?.readyAt?.toISOString() ?? null),
      units: { cost, used: unitsInUse.used, limit: unitsOf(plan) },
      context_length: getEffectiveContext(model, plan),
      max_completion_tokens: model.maxCompletionTokens,
      credits: credits && { needed_nano_usd: String(credits.needed), available_nano_usd: String(credits.available) },
    };
  };
}

/** How far a model is loaded; null for one that nothing runs. */
async function readLoading({ registry, modelHost }: Deps, key: string): Promise<Loading | "warm" | null> {
  return registry.availability(key).tier === "warm" ? "warm" : modelHost.state(key);
}

function refusalOfLoading(
  { clock, coldStatus }: Deps,
  { id }: CallableModel,
  loading: Loading | "warm" | null,
): AppError | null {
  if (loading === "warm") return null;
  return loading === null ? noBackend(id) : modelLoading(id, loading, clock.now(), coldStatus);
}

/** What a call may cost and what is available, in nano-USD; null on a flat plan. */
async function readCredits(
  { estimateMaxCost, availableCredits }: Deps,
  organizationId: string,
  { plan }: CallerPlan,
  model: CallableModel,
  request: PreflightRequest,
): Promise<{ needed: bigint; available: bigint } | null> {
  if (plan.billing_mode !== "request_pricing") return null;
  const promptTokens = request.prompt_tokens ?? 0;
  const completionTokens = (request.max_tokens ?? DEFAULT_ANSWER_TOKENS) * (request.prompts ?? 1);
  const [needed, available] = await Promise.all([
    estimateMaxCost(model, { promptTokens, completionTokens }),
    availableCredits(organizationId),
  ]);
  return { needed: needed ?? 0n, available };
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
