import { isDeepStrictEqual } from "node:util";
import type { components } from "@feather/openapi/schema";
import type { Updateable } from "kysely";
import type { PlansRepository } from "../../money/plans/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { refuseLimitedKey } from "../../platform/core/auth/refuse-limited-key.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { isUniqueViolation } from "../../platform/core/db/errors.ts";
import type { Deployments } from "../../platform/core/db/schema.generated.ts";
import { AppError, errors, hasCode } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { modelIdOf } from "../../platform/core/models/model-keys.ts";
import { HOUR_S } from "../../platform/core/time.ts";
import type { DeployableModels } from "./deployable-models.ts";
import type { DeploymentTokens } from "./deployment-tokens.ts";
import { deploymentNameTaken, minReplicasAboveMax, tooManyDeployments } from "./deployments.errors.ts";
import { type DeploymentRow, type DeploymentsRepository, toDeploymentSpec } from "./deployments.repository.ts";
import type { Providers } from "./providers.ts";

type DeploymentCreate = components["schemas"]["DeploymentCreate"];
type DeploymentUpdate = components["schemas"]["DeploymentUpdate"];
type Result = components["schemas"]["BulkResult"];

type Deps = {
  db: Database;
  deploymentsRepository: DeploymentsRepository;
  tokens: DeploymentTokens;
  providers: Providers;
  models: Pick<DeployableModels, "find">;
  plansRepository: PlansRepository;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  /** Requests a run of the reconciler for a deployment, in the background. */
  enqueue(id: string): void;
};

const MAX_DEPLOYMENTS = 100;
const DEFAULT_SCALE_TO_ZERO_S = HOUR_S;
const DEFAULT_AUTOSCALE = { metric: "pending_requests", target: 4 } as const;

/** Creates the use cases that change the desired state of deployments. The reconciler then applies it. */
export function createDeployments(deps: Deps) {
  return bind(deps, {
    create: createDeployment,
    update: updateDeployment,
    pause: pauseDeployment,
    resume: resumeDeployment,
    pauseWithoutPlan,
    delete: deleteDeployment,
    rotateToken,
    login: loginDeployment,
    redeploy: redeployDeployment,
    deleteAll,
  });
}

/** Returns the key of the model that the organization calls by an id. Throws `model_not_found`. */
async function resolveModelKey(deps: Deps, modelId: string, organizationId: string): Promise<string> {
  const { models } = deps;
  try {
    return (await models.find(modelId, organizationId)).key;
  } catch (error) {
    if (!hasCode(error, "model_not_found")) throw error;
    const { message, details } = error;
    throw errors.modelNotFound(message, { param: "model_id", ...(details && { details }) });
  }
}

function validateDeployment(deps: Deps, row: DeploymentRow): void {
  const { providers } = deps;
  if (row.min_replicas > row.max_replicas) throw minReplicasAboveMax();
  const limits = { maxReplicas: row.max_replicas };
  providers.resolve(row.provider_id, row.region, row.instance_type).check(toDeploymentSpec(row), limits);
}

async function assertPlanHasPrivateCloud(deps: Deps, { organizationId }: SignedInActor): Promise<void> {
  const { plansRepository } = deps;
  const { plan } = await plansRepository.findCurrent(organizationId);
  if (!plan.private_cloud) throw errors.deployments.notOnPlan({ plan: plan.name });
}

async function assertBelowLimit(deps: Deps, { organizationId }: SignedInActor): Promise<void> {
  const { deploymentsRepository } = deps;
  if ((await deploymentsRepository.count(organizationId)) >= MAX_DEPLOYMENTS) throw tooManyDeployments(MAX_DEPLOYMENTS);
}

/** Changes a deployment and writes an audit event. Does nothing if no value differs. */
async function change(
  deps: Deps,
  actor: SignedInActor,
  { id, action, anyOrganization = false }: { id: string; action: string; anyOrganization?: boolean },
  toChanges: (row: DeploymentRow) => Updateable<Deployments>,
): Promise<DeploymentRow> {
  const { db, deploymentsRepository, audit, clock, enqueue } = deps;
  const row = await db.transaction().execute(async (trx) => {
    const current = await deploymentsRepository.lock(anyOrganization ? null : actor.organizationId, id, trx);
    if (!current) throw errors.deployments.notFound();
    if (current.deleting) throw errors.deployments.deleting();
    const values = Object.entries(toChanges(current)).filter(
      ([name, value]) => !isDeepStrictEqual(current[name as keyof DeploymentRow], value),
    );
    if (values.length === 0) return current;
    const change = { ...Object.fromEntries(values), updated_at: clock.now() };
    const updated = await deploymentsRepository.update(id, change, trx);
    const fields = values.map(([name]) => name).filter((name) => name !== "generation");
    await audit.record({ actor, action: `deployments.${action}`, target: id, details: { fields } }, trx);
    return updated;
  });
  enqueue(id);
  return row;
}

async function createDeployment(
  deps: Deps,
  actor: SignedInActor,
  body: DeploymentCreate,
): Promise<{ row: DeploymentRow; token: string }> {
  const { db, deploymentsRepository, tokens, audit, clock, ids, enqueue } = deps;
  const { organizationId, userId } = actor;
  refuseLimitedKey(actor, { mayExpire: true });
  await assertPlanHasPrivateCloud(deps, actor);
  await assertBelowLimit(deps, actor);
  const now = clock.now();
  const { metric, target } = body.autoscale ?? DEFAULT_AUTOSCALE;
  const { autoscale: _, ...fields } = body;
  const min = body.min_replicas ?? 0;
  const row = {
    ...INITIAL_STATUS,
    ...fields,
    id: ids.next("dep"),
    organization_id: organizationId,
    created_by: userId,
    model_id: await resolveModelKey(deps, body.model_id, organizationId),
    revision: body.revision ?? null,
    min_replicas: min,
    max_replicas: body.max_replicas ?? Math.max(1, min),
    scale_to_zero_after_s:
      body.scale_to_zero_after_s === undefined ? DEFAULT_SCALE_TO_ZERO_S : body.scale_to_zero_after_s,
    autoscale_metric: metric,
    autoscale_target: target,
    engine_args: body.engine_args ?? {},
    visibility: body.visibility ?? "private",
    last_request_at: now,
    created_at: now,
    updated_at: now,
  } satisfies DeploymentRow;
  validateDeployment(deps, row);
  const created = await db
    .transaction()
    .execute(async (trx) => {
      const inserted = await deploymentsRepository.insert(
        { ...row, engine_args: JSON.stringify(row.engine_args) },
        trx,
      );
      const token = await tokens.replace(row.id, actor, trx);
      await deploymentsRepository.addEvent(row.id, "pending", "Created", trx);
      const details = { name: row.name, model_id: modelIdOf(row.model_id), provider_id: row.provider_id };
      await audit.record({ actor, action: "deployments.create", target: row.id, details }, trx);
      return { row: inserted, token };
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? deploymentNameTaken(row.name) : error;
    });
  enqueue(row.id);
  return created;
}

/**
 * Changes the settings of a deployment. Increments the generation, so that replicas are replaced, only if the provider's
 * part of the settings changes.
 */
async function updateDeployment(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  body: DeploymentUpdate,
): Promise<DeploymentRow> {
  const { autoscale, model_id, ...fields } = body;
  const model = model_id === undefined ? undefined : await resolveModelKey(deps, model_id, actor.organizationId);
  return change(deps, actor, { id, action: "update" }, (row) => {
    const values = {
      ...fields,
      ...(model !== undefined && { model_id: model }),
      ...(autoscale && { autoscale_metric: autoscale.metric, autoscale_target: autoscale.target }),
    };
    const updatedRow = { ...row, ...values };
    validateDeployment(deps, updatedRow);
    const isNew = !isDeepStrictEqual(toDeploymentSpec(updatedRow), toDeploymentSpec(row));
    return { ...values, ...(isNew && { generation: row.generation + 1 }) };
  });
}

function pauseDeployment(deps: Deps, actor: SignedInActor, id: string) {
  return change(deps, actor, { id, action: "pause" }, () => ({ paused: true }));
}

async function resumeDeployment(deps: Deps, actor: SignedInActor, id: string): Promise<DeploymentRow> {
  const { deploymentsRepository, clock } = deps;
  const row = await deploymentsRepository.findInOrganization(actor.organizationId, id);
  if (row) await assertPlanHasPrivateCloud(deps, actor);
  return change(deps, actor, { id, action: "resume" }, ({ paused }) =>
    paused ? { paused: false, last_request_at: clock.now() } : {},
  );
}

/** Pauses the deployments of organizations whose plan no longer has a private cloud. */
async function pauseWithoutPlan({ db, deploymentsRepository, plansRepository, audit, enqueue }: Deps): Promise<void> {
  for (const organizationId of await deploymentsRepository.listActiveOrganizations()) {
    const paused = await db.transaction().execute(async (trx) => {
      const { plan } = await plansRepository.findCurrent(organizationId, trx);
      if (plan.private_cloud) return [];
      const rows = await deploymentsRepository.pauseAll(organizationId, trx);
      const reason = `The plan ${plan.name} has no private cloud`;
      for (const { id } of rows) await deploymentsRepository.addEvent(id, "paused", reason, trx);
      const details = { plan_id: plan.id };
      for (const { id: target } of rows)
        await audit.record({ userId: null, organizationId, action: "deployments.pause", target, details }, trx);
      return rows;
    });
    for (const { id } of paused) enqueue(id);
  }
}

/** Marks a deployment as being deleted and deletes its tokens. Idempotent. */
async function deleteDeployment(
  { db, deploymentsRepository, tokens, audit, clock, enqueue }: Deps,
  actor: SignedInActor,
  id: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await deploymentsRepository.lock(actor.organizationId, id, trx);
    if (!row) throw errors.deployments.notFound();
    if (row.deleting) return;
    await deploymentsRepository.update(id, { deleting: true, updated_at: clock.now() }, trx);
    await tokens.deleteAll(id, trx);
    await audit.record({ actor, action: "deployments.delete", target: id, details: { name: row.name } }, trx);
  });
  enqueue(id);
}

async function rotateToken(
  { db, deploymentsRepository, tokens, audit }: Deps,
  actor: SignedInActor,
  id: string,
): Promise<string> {
  refuseLimitedKey(actor, { mayExpire: true });
  return db.transaction().execute(async (trx) => {
    const row = await deploymentsRepository.lock(actor.organizationId, id, trx);
    if (!row) throw errors.deployments.notFound();
    if (row.deleting) throw errors.deployments.deleting();
    const token = await tokens.replace(id, actor, trx);
    await audit.record({ actor, action: "deployments.rotate_token", target: id }, trx);
    return token;
  });
}

async function loginDeployment(
  { db, deploymentsRepository, tokens, audit }: Deps,
  actor: SignedInActor,
  id: string,
): Promise<{ token: string; expiresAt: Date }> {
  refuseLimitedKey(actor, { mayExpire: true });
  return db.transaction().execute(async (trx) => {
    const row = await deploymentsRepository.lock(actor.organizationId, id, trx);
    if (!row) throw errors.deployments.notFound();
    if (row.deleting) throw errors.deployments.deleting();
    const link = await tokens.createLoginLink(id, actor, trx);
    await audit.record({ actor, action: "deployments.login", target: id }, trx);
    return link;
  });
}

/** Replaces all replicas of each deployment. Returns a result per id: a failure does not affect the other deployments. */
async function redeployDeployment(
  deps: Deps,
  admin: SignedInActor,
  deploymentIds: readonly string[],
): Promise<Result[]> {
  const results: Result[] = [];
  for (const id of deploymentIds)
    try {
      const target = { id, action: "redeploy", anyOrganization: true };
      await change(deps, admin, target, ({ generation }) => ({ generation: generation + 1 }));
      results.push({ id, ok: true, error: null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ id, ok: false, error: error.message });
    }
  return results;
}

/** Marks all deployments of an organization as being deleted, before the organization itself is deleted. */
async function deleteAll(
  { deploymentsRepository, tokens }: Deps,
  organizationId: string,
  trx: Database,
): Promise<void> {
  for (const { id } of await deploymentsRepository.markAllDeleting(organizationId, trx))
    await tokens.deleteAll(id, trx);
}

const INITIAL_STATUS = {
  generation: 1,
  paused: false,
  deleting: false,
  state: "pending",
  state_reason: null,
  ready_replicas: 0,
  desired_replicas: 0,
  scale_down_since: null,
  settings_version: 1,
  observed_settings_version: 0,
  version: 1,
};
