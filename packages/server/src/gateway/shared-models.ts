import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { ResolvedCall } from "./call.ts";
import type { DailyLimit } from "./limits/daily-limit.ts";
import type { ModelSwitches, RefundSwitch } from "./limits/model-switches.ts";
import type { Units } from "./limits/units.ts";
import type { CallPolicy, Reservation } from "./pipeline.ts";
import type { CallerPlan, ModelLookup } from "./ports.ts";
import { admitPlan } from "./stages/admit.ts";
import { withRuntimeContext } from "./stages/effective-context.ts";
import { type CreditsStage, isMetered, type Metering, withCost } from "./stages/meter.ts";
import { withProviderCost } from "./stages/provider-cost.ts";
import { reserveUnits } from "./stages/reserve.ts";
import { type RouteStage, routeCall } from "./stages/route.ts";

type Deps = {
  models: Pick<ModelLookup, "find">;
  currentPlan(organizationId: string): Promise<CallerPlan>;
  registry: BackendRegistry;
  route: RouteStage;
  units: Units;
  /** Called when an organization was refused because its units are in use. */
  onRefused(organizationId: string): void;
  modelSwitches: ModelSwitches;
  dailyLimit: DailyLimit;
  credits: CreditsStage;
};

/** Creates the policy of calls to the models that all organizations share: the limits of the caller's plan hold. */
export function createSharedModelPolicy(deps: Deps): (caller: SignedInActor) => CallPolicy {
  const { models, currentPlan, registry } = deps;
  return (caller) => ({
    registry,
    caller,
    async resolve({ actor: { organizationId }, body }) {
      const plan = currentPlan(organizationId);
      plan.catch(() => {}); // awaited below, unless the model is refused
      const model = withRuntimeContext(await models.find(body.model, organizationId), registry);
      return { model, plan: await plan };
    },
    admit: ({ model, plan }) => admitPlan(plan, model),
    reserve: (call) => reserveResources(deps, call),
  });
}

/**
 * Reserves backends, units and credits for a call. The daily limit is consumed first, before any wait. It is given back if
 * the call is refused, but not if the caller disconnects while waiting.
 */
async function reserveResources(deps: Deps, call: ResolvedCall): Promise<Reservation> {
  const { organizationId } = call.actor;
  const { daily_request_limit: dailyLimit } = call.plan.plan;
  const refundRequest = dailyLimit === null ? null : await deps.dailyLimit.consume(organizationId, dailyLimit);
  try {
    const routed = await routeCall(deps.route, call, call.model.key);
    const lease = await reserveUnits(deps, call);
    try {
      const waiting = { ...call, ...routed, queuedMs: Math.ceil(call.elapsedMs()) };
      const { metering, refundSwitch } = await consumeLimits(deps, waiting);
      return {
        call: metering === null ? waiting : { ...waiting, backends: metering.backends },
        undo: async () => {
          refundRequest?.();
          refundSwitch();
          if (metering !== null) await deps.credits.release(call);
        },
        complete: (row) => withProviderCost(withCost(row, metering), waiting),
        [Symbol.dispose]: lease[Symbol.dispose],
      };
    } catch (error) {
      lease[Symbol.dispose]();
      throw error;
    }
  } catch (error) {
    if (!call.signal.aborted) refundRequest?.();
    throw error;
  }
}

/** What a call has consumed: the reserved credits, null on a flat plan, and a switch of models. */
type Consumed = { metering: Metering | null; refundSwitch: RefundSwitch };

/** Consumes the limit on model switches and reserves credits. If one of them refuses the call, neither is consumed. */
function consumeLimits({ modelSwitches, credits }: Deps, call: ResolvedCall): Promise<Consumed> | Consumed {
  const { model_switches_per_minute: limit } = call.plan.plan;
  const refund = modelSwitches.consume(call.actor.organizationId, call.model.key, limit);
  if (refund instanceof Promise) return refund.then((refundSwitch) => reserveCredits(credits, call, refundSwitch));
  return reserveCredits(credits, call, refund);
}

function reserveCredits(
  credits: CreditsStage,
  call: ResolvedCall,
  refundSwitch: RefundSwitch,
): Promise<Consumed> | Consumed {
  if (!isMetered(call.plan)) return { metering: null, refundSwitch };
  return credits.reserve(call).then(
    (metering) => ({ metering, refundSwitch }),
    (error: unknown) => {
      refundSwitch();
      throw error;
    },
  );
}
