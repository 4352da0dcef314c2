import {
  type BackendRegistry,
  type CallableModel,
  type CallPolicy,
  type CallRequest,
  type ResolvedCall,
  type RouteStage,
  type RunCall,
  routeCall,
} from "../../../gateway/index.ts";
import type { CurrentPlan } from "../../../money/plans/index.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { AppError, errors, hasCode } from "../../../platform/core/errors/index.ts";
import { modelIdOf } from "../../../platform/core/models/model-keys.ts";
import type { DeployableModels } from "../deployable-models.ts";
import { deploymentAtCapacity, deploymentFailed, deploymentPaused } from "../deployments.errors.ts";
import type { DeploymentRow } from "../deployments.repository.ts";
import type { LoadTracker } from "./load-tracker.ts";

type Deps = {
  models: Pick<DeployableModels, "findByKey">;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  /** The registry of replicas. It is separate from the one for calls below `/v1`. */
  registry: BackendRegistry;
  /** Finds the replicas, and starts them if none runs. */
  route: RouteStage;
  /** Returns why all replicas of a deployment failed; null if they did not. */
  findFailure(id: string): string | null;
  load: LoadTracker;
  runCall: RunCall;
};

/** A call to a deployment whose caller has been authorized. `caller` is null if the deployment's token was used. */
export type DeploymentCall = Omit<CallRequest, "actor"> & { deployment: DeploymentRow; caller: SignedInActor | null };

/** Concurrent calls beyond this number are rejected, since they would only wait. */
const MAX_CONCURRENT_CALLS = 1_000;

/** Returns the function that runs the calls to deployments. */
export function createDeploymentCalls(deps: Deps) {
  const { load, runCall } = deps;
  return async ({ deployment, caller, ...request }: DeploymentCall): Promise<void> => {
    const { id } = deployment;
    if (load.get(id).pending >= MAX_CONCURRENT_CALLS) throw deploymentAtCapacity(MAX_CONCURRENT_CALLS);
    const endLoad = load.begin(id);
    try {
      const actor = caller ?? toTokenActor(deployment);
      await runCall({ ...request, actor }, createDeploymentPolicy(deps, deployment, caller));
    } finally {
      endLoad();
    }
  };
}

/**
 * Returns the policy of calls to a deployment. It has its own replicas, so calls use no units, daily limit or credits. The
 * usage row has the deployment's id as its backend.
 */
function createDeploymentPolicy(deps: Deps, deployment: DeploymentRow, caller: SignedInActor | null): CallPolicy {
  return {
    registry: deps.registry,
    caller,
    resolve: () => resolveModel(deps, deployment),
    admit: () => {},
    async reserve(call) {
      refuseUnavailable(deps, deployment);
      return {
        call: { ...call, ...(await findReplicas(deps, deployment, call)) },
        undo: async () => {},
        complete: (row) => ({ ...row, user_id: caller?.userId ?? null, backend: deployment.id }),
        [Symbol.dispose]: () => {},
      };
    },
  };
}

async function resolveModel(
  { models, currentPlan }: Deps,
  { organization_id: organizationId, model_id: modelKey }: DeploymentRow,
): Promise<Pick<ResolvedCall, "model" | "plan">> {
  const [model, current] = await Promise.all([
    models.findByKey(modelKey, organizationId).catch((error: unknown) => toUnlistedModel(modelKey, error)),
    currentPlan(organizationId),
  ]);
  if (current.subscription?.status === "paused") throw errors.planSuspended();
  return { model: { ...model, cost: 0 }, plan: { ...current, plan: { ...current.plan, max_context_length: null } } };
}

function refuseUnavailable({ registry }: Deps, deployment: DeploymentRow): void {
  const { id, name, paused, state, state_reason: reason } = deployment;
  if (paused) throw deploymentPaused(name);
  if (registry.candidates(id).length === 0 && state === "failed") throw deploymentFailed(name, reason);
}

/**
 * Returns the replicas for a call. Waits for starting replicas as long as the call allows. Throws `deployment_failed` at
 * once if all replicas failed.
 */
async function findReplicas(
  { route, findFailure }: Deps,
  { id, name }: DeploymentRow,
  call: ResolvedCall,
): Promise<Pick<ResolvedCall, "backends" | "prompt">> {
  try {
    return await routeCall(route, call, id);
  } catch (error) {
    const reason = findFailure(id);
    throw reason !== null && hasCode(error, "capacity_exhausted") ? deploymentFailed(name, reason) : error;
  }
}

/** Returns the actor of a call with the deployment's token, which acts for the organization. */
function toTokenActor({ id, organization_id, created_by }: DeploymentRow): SignedInActor {
  return {
    kind: "user",
    userId: created_by ?? "",
    organizationId: organization_id,
    role: "developer",
    isAdmin: false,
    emailVerified: true,
    scopes: [],
    credential: { type: "deployment", id },
  };
}

/**
 * Returns a model without limits for a model that is no longer in the catalogue, since its deployments keep running. Throws
 * all errors but 404 again.
 */
function toUnlistedModel(key: string, error: unknown): CallableModel {
  if (!(error instanceof AppError) || error.status !== 404) throw error;
  return {
    id: modelIdOf(key),
    key,
    classId: "unknown",
    cost: 0,
    parameterSize: null,
    contextLength: Number.MAX_SAFE_INTEGER,
    maxCompletionTokens: null,
    inputModalities: ["text", "image", "audio", "video", "file"],
    isGated: false,
    planIds: null,
    isDisabled: false,
    organizationId: null,
  };
}
