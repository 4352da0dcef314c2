import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { Clock } from "../platform/core/clock.ts";
import { AppError } from "../platform/core/errors/index.ts";
import { findFirst, type ListModelsOf } from "./alias-names.ts";
import type { FindOwnKeys } from "./backends/own-keys.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { DailyLimit } from "./limits/daily-limit.ts";
import type { ModelSwitches } from "./limits/model-switches.ts";
import { unitsOf } from "./limits/unit-requests.ts";
import type { Units, UsedElsewhere } from "./limits/units.ts";
import type { ColdCall, Loading, ModelHost } from "./model-host.ts";
import { modelLoading } from "./model-loading.ts";
import type {
  CallableModel,
  CallerPlan,
  CreditReservations,
  ModelLookup,
  PriceLookup,
  ReadRoutingRules,
} from "./ports.ts";
import type { LiveCall, LiveCalls, LiveSnapshot } from "./running-calls/live-calls.ts";
import { admitKey, admitPlan, refuseTokens } from "./stages/admit.ts";
import { getEffectiveContext, withRuntimeContext } from "./stages/effective-context.ts";
import { estimateMaxAnswerTokens, isMetered } from "./stages/meter.ts";
import { keepAboveCost, soldBelowCost } from "./stages/price-floor.ts";
import { toUnitRequest } from "./stages/reserve.ts";
import { noBackend } from "./stages/route.ts";
import { keepPermitted, type MayCallElsewhere, onlyElsewhere } from "./stages/stay-here.ts";
import { keepUsable, ownKeyRequired, type UsableBackends, usesOnlyOwnKeys } from "./stages/usable-backends.ts";
import { calculateCostNano, takePercent } from "./usage/cost.ts";

/** The body of a preflight request, as in the contract. */
export type PreflightRequest = {
  model: string;
  prompt_tokens?: number | null | undefined;
  max_tokens?: number | null | undefined;
  prompts?: number | null | undefined;
};

type Deps = {
  models: Pick<ModelLookup, "find">;
  listModelsOf: ListModelsOf;
  registry: BackendRegistry;
  modelHost: ModelHost;
  units: Pick<Units, "refusalOf">;
  liveCalls: Pick<LiveCalls, "readSnapshot">;
  modelSwitches: ModelSwitches;
  dailyLimit: DailyLimit;
  prices: PriceLookup;
  reservations: CreditReservations;
  clock: Clock;
  coldStatus: 400 | 503;
  currentPlan(organizationId: string): Promise<CallerPlan>;
  mayCallElsewhere: MayCallElsewhere;
  findOwnKeys: FindOwnKeys;
  readRules: ReadRoutingRules;
  /** Available credits of an organization in nano-USD. */
  availableCredits(organizationId: string): Promise<bigint>;
};

/** The request id of the checked call. */
const PREFLIGHT_ID = "preflight";

/** A model that a backend answers for, in memory there or loaded by the call. */
type BackendTier = "warm" | "cold";

/** A call that is checked, and what the checks read about it. */
type Check = {
  actor: SignedInActor;
  request: PreflightRequest;
  model: CallableModel;
  plan: CallerPlan;
  /** The units that the call would hold. */
  cost: number;
  loading: Loading | BackendTier | null;
  /** Whether the operator refuses the call because each backend charges more than the price. */
  isBelowCost: boolean;
  credits: Credits | null;
  elsewhere: LiveSnapshot["elsewhere"];
};

/**
 * Creates the function that reports whether a call would be admitted now, and its cost. It runs the same checks as a call,
 * reserves nothing and loads no model. For an alias it reports on the first of its models that would be admitted, or if none
 * would be on the first one.
 */
export function createPreflight(deps: Deps) {
  const check = createCheck(deps);
  return async (actor: SignedInActor, request: PreflightRequest) => {
    const ids = await deps.listModelsOf(request.model, actor.organizationId);
    return findFirst(
      ids,
      (id) => check(actor, { ...request, model: id }),
      ({ admitted }) => admitted,
    );
  };
}

function createCheck(deps: Deps) {
  return async (actor: SignedInActor, request: PreflightRequest) => {
    const { organizationId } = actor;
    const [known, plan, unitsInUse, rules] = await Promise.all([
      deps.models.find(request.model, organizationId),
      deps.currentPlan(organizationId),
      deps.liveCalls.readSnapshot(organizationId),
      deps.readRules(),
    ]);
    const model = withRuntimeContext(known, deps.registry);
    const cost = model.cost * (request.prompts ?? 1);
    const usable = await keepUsable(deps.registry.candidates(model.key), organizationId, deps);
    const isBelowCost = rules.refusesBelowCost && (await isSoldBelowCost(deps, plan, model, usable));
    const [loading, fullCredits] = await Promise.all([
      readLoading(deps, { actor, model }, usable),
      readCredits(deps, organizationId, plan, model, request),
    ]);
    const credits = fullCredits && usesOnlyOwnKeys(usable) ? toFee(fullCredits, rules.ownKeyFeePercent) : fullCredits;
    const { used, elsewhere } = unitsInUse;
    const refusal = await findRefusal(deps, {
      actor,
      request,
      model,
      plan,
      cost,
      loading,
      isBelowCost,
      credits,
      elsewhere,
    });
    return {
      admitted: refusal === null,
      refusal: refusal && { status: refusal.status, code: refusal.code, message: refusal.message },
      model: model.id,
      model_class: model.classId,
      tier: typeof loading === "string" ? loading : (loading?.tier ?? ("offline" as const)),
      estimated_ready_at: typeof loading === "string" ? null : (loading?.readyAt?.toISOString() ?? null),
      units: { cost, used, limit: unitsOf(plan) },
      context_length: getEffectiveContext(model, plan),
      max_completion_tokens: model.maxCompletionTokens,
      credits: credits && { needed_nano_usd: String(credits.needed), available_nano_usd: String(credits.available) },
    };
  };
}

/** Returns the first refusal that the call would get, in the order of the pipeline; null if it would be admitted. */
async function findRefusal(deps: Deps, check: Check) {
  const { actor, request, model, plan, cost, loading, isBelowCost, credits, elsewhere } = check;
  const units = toUnitRequest({ id: PREFLIGHT_ID, actor, model, plan, cost }, 0);
  const { organizationId, userId, credential } = actor;
  const { daily_request_limit, model_switches_per_minute } = plan.plan;
  return (
    catchRefusal(() => admitKey(actor, model)) ??
    catchRefusal(() => admitPlan(plan, model)) ??
    catchRefusal(() => refuseTokens(request.prompt_tokens ?? 0, model, plan, "prompt_tokens")) ??
    (await deps.dailyLimit.findRefusal(organizationId, daily_request_limit)) ??
    (await refusalOfLoading(deps, { actor, model }, loading)) ??
    (await deps.units.refusalOf(units, toUsedElsewhere(elsewhere, units.key?.id ?? null))) ??
    (await deps.modelSwitches.findRefusal(organizationId, model.key, model_switches_per_minute)) ??
    (isBelowCost ? soldBelowCost(model.id) : null) ??
    (credits &&
      (await deps.reservations.findRefusal({
        requestId: PREFLIGHT_ID,
        organizationId,
        userId,
        apiKeyId: credential.type === "key" ? credential.id : null,
        amountNano: credits.needed,
      })))
  );
}

/** Returns the units that calls of other replicas hold, of the plan and of a key. */
function toUsedElsewhere({ requests, replicaIds }: LiveSnapshot["elsewhere"], keyId: string | null): UsedElsewhere {
  const sum = (calls: readonly LiveCall[]) => calls.reduce((units, { cost }) => units + cost, 0);
  const ofKey = keyId === null ? [] : requests.filter((call) => call.keyId === keyId);
  return { plan: sum(requests), key: sum(ofKey), replicaIds };
}

/**
 * How far a model is loaded: at a backend to which the call may go, or on this machine; null for one that nothing runs, or
 * only what the call may not go to.
 */
async function readLoading(
  { registry, modelHost }: Deps,
  call: ColdCall,
  { backends }: UsableBackends,
): Promise<Loading | BackendTier | null> {
  const { key } = call.model;
  const { tier } = registry.availability(key);
  return tier === "offline" || backends.length === 0 ? modelHost.state(key, call) : tier;
}

async function refusalOfLoading(
  deps: Deps,
  call: ColdCall,
  loading: Loading | BackendTier | null,
): Promise<AppError | null> {
  if (typeof loading === "string") return null;
  if (loading === null) return refusalOfPlaces(deps, call);
  return modelLoading(call.model.id, loading, { now: deps.clock.now(), status: deps.coldStatus });
}

/** The refusal of a call to a model that nothing runs, or only backends to which it may not go, whether they answer or not. */
async function refusalOfPlaces(deps: Deps, { actor, model: { id, key } }: ColdCall): Promise<AppError> {
  const { organizationId, isAdmin } = actor;
  const running = deps.registry.candidates(key);
  const permitted = await keepPermitted(running, organizationId, deps.mayCallElsewhere);
  if (running.length > 0 && permitted.length === 0) return onlyElsewhere(id, actor);
  const { backends: usable } = await keepUsable(permitted, organizationId, deps);
  return permitted.length > 0 && usable.length === 0 ? ownKeyRequired(id, permitted, actor) : noBackend(id, isAdmin);
}

/** Returns whether a metered call has backends, and each of them charges more than the price of the model. */
async function isSoldBelowCost(
  { prices }: Deps,
  caller: CallerPlan,
  model: CallableModel,
  usable: UsableBackends,
): Promise<boolean> {
  if (!isMetered(caller) || usable.backends.length === 0) return false;
  return keepAboveCost(usable, model, await prices.findPrice(model)).length === 0;
}

/** The highest cost of a call and the available credits, in nano-USD. */
type Credits = { needed: bigint; available: bigint };

/**
 * Returns the highest cost of a call and the available credits; null on a flat plan. A model without a price costs nothing.
 */
async function readCredits(
  { prices, availableCredits }: Deps,
  organizationId: string,
  { plan }: CallerPlan,
  model: CallableModel,
  request: PreflightRequest,
): Promise<Credits | null> {
  if (plan.billing_mode !== "request_pricing") return null;
  const promptTokens = request.prompt_tokens ?? 0;
  const completionTokens = estimateMaxAnswerTokens(model, promptTokens, request.max_tokens) * (request.prompts ?? 1);
  const [price, available] = await Promise.all([prices.findPrice(model), availableCredits(organizationId)]);
  const used = { promptTokens, completionTokens, images: 0, audioMs: 0, characters: 0 };
  return { needed: price ? calculateCostNano(price, used) : 0n, available };
}

const toFee = ({ needed, available }: Credits, percent: number): Credits => ({
  needed: takePercent(needed, percent),
  available,
});

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
