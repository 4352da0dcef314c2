import { isDeepStrictEqual } from "node:util";
import type { components } from "@feather/openapi/schema";
import type { Updateable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Deployments } from "../../db/schema.generated.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { modelIdOf } from "../../shared/model-keys.ts";
import { refuseLimitedKey } from "../api-keys/key-limits.ts";
import type { Audit } from "../audit/audit.ts";
import type { CallableModels } from "../catalogue/callable-models.ts";
import type { PlansRepository } from "../plans/plans.repository.ts";
import type { DeploymentTokens } from "./deployment-tokens.ts";
import {
  isBeingDeleted,
  minAboveMax,
  nameTaken,
  noPrivateCloud,
  noSuchDeployment,
  tooManyDeployments,
} from "./deployments.errors.ts";
import { type DeploymentRow, type DeploymentsRepository, specOf } from "./deployments.repository.ts";
import type { Providers } from "./providers.ts";

type DeploymentCreate = components["schemas"]["DeploymentCreate"];
type DeploymentUpdate = components["schemas"]["DeploymentUpdate"];
type Result = components["schemas"]["BulkResult"];

type Deps = {
  db: Database;
  deployments: DeploymentsRepository;
  tokens: DeploymentTokens;
  providers: Providers;
  models: Pick<CallableModels, "find">;
  plans: PlansRepository;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  /** Reconciles a deployment soon, in the background. */
  kick(id: string): void;
};

const MOST = 100;
const USUAL_IDLE = 3_600;
const USUAL_AUTOSCALE = { metric: "pending_requests", target: 4 } as const;
const DUPLICATE = "23505";

/** Use cases that change the desired state of deployments. The reconciler applies it. */
export function createDeployments({
  db,
  deployments,
  tokens,
  providers,
  models,
  plans,
  audit,
  clock,
  ids,
  kick,
}: Deps) {
  /** Returns the key of the model that an id means to the organization. */
  async function modelKey(wanted: string, organizationId: string): Promise<string> {
    try {
      return (await models.find(wanted, organizationId)).key;
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 404) throw error;
      const { code, message, details } = error;
      throw new AppError(404, code, message, { param: "model_id", ...(details && { details }) });
    }
  }

  function check(row: DeploymentRow): void {
    if (row.min_replicas > row.max_replicas) throw minAboveMax();
    const limits = { maxReplicas: row.max_replicas };
    providers.choose(row.provider_id, row.region, row.instance_type).check(specOf(row), limits);
  }

  async function refuseWithoutPlan({ organizationId }: SignedIn): Promise<void> {
    const { plan } = await plans.current(organizationId);
    if (!plan.private_cloud) throw noPrivateCloud(plan.name);
  }

  async function refuseTooMany({ organizationId }: SignedIn): Promise<void> {
    if ((await deployments.count(organizationId)) >= MOST) throw tooManyDeployments(MOST);
  }

  /** Changes a deployment and writes an audit event, unless all values are the same already. */
  async function change(
    actor: SignedIn,
    { id, action, anyOrganization = false }: { id: string; action: string; anyOrganization?: boolean },
    wanted: (row: DeploymentRow) => Updateable<Deployments>,
  ): Promise<DeploymentRow> {
    const row = await db.transaction().execute(async (trx) => {
      const current = await deployments.lock(anyOrganization ? null : actor.organizationId, id, trx);
      if (!current) throw noSuchDeployment();
      if (current.deleting) throw isBeingDeleted();
      const values = Object.entries(wanted(current)).filter(
        ([name, value]) => !isDeepStrictEqual(current[name as keyof DeploymentRow], value),
      );
      if (values.length === 0) return current;
      const change = { ...Object.fromEntries(values), updated_at: clock.now() };
      const updated = await deployments.update(id, change, trx);
      const fields = values.map(([name]) => name).filter((name) => name !== "generation");
      await audit.record({ actor, action: `deployments.${action}`, target: id, details: { fields } }, trx);
      return updated;
    });
    kick(id);
    return row;
  }

  return {
    async create(actor: SignedIn, body: DeploymentCreate): Promise<{ row: DeploymentRow; token: string }> {
      const { organizationId, userId } = actor;
      refuseLimitedKey(actor, { mayExpire: true });
      await refuseWithoutPlan(actor);
      await refuseTooMany(actor);
      const now = clock.now();
      const { metric, target } = body.autoscale ?? USUAL_AUTOSCALE;
      const { autoscale: _, ...given } = body;
      const min = body.min_replicas ?? 0;
      const row = {
        ...NEW,
        ...given,
        id: ids.next("dep"),
        organization_id: organizationId,
        created_by: userId,
        model_id: await modelKey(body.model_id, organizationId),
        revision: body.revision ?? null,
        min_replicas: min,
        max_replicas: body.max_replicas ?? Math.max(1, min),
        scale_to_zero_after_s: body.scale_to_zero_after_s === undefined ? USUAL_IDLE : body.scale_to_zero_after_s,
        autoscale_metric: metric,
        autoscale_target: target,
        engine_args: body.engine_args ?? {},
        visibility: body.visibility ?? "private",
        last_request_at: now,
        created_at: now,
        updated_at: now,
      } satisfies DeploymentRow;
      check(row);
      const made = await db
        .transaction()
        .execute(async (trx) => {
          const inserted = await deployments.insert({ ...row, engine_args: JSON.stringify(row.engine_args) }, trx);
          const token = await tokens.replace(row.id, actor, trx);
          await deployments.note(row.id, "pending", "Created", trx);
          const details = { name: row.name, model_id: modelIdOf(row.model_id), provider_id: row.provider_id };
          await audit.record({ actor, action: "deployments.create", target: row.id, details }, trx);
          return { row: inserted, token };
        })
        .catch((error: unknown) => {
          throw (error as { code?: string }).code === DUPLICATE ? nameTaken(row.name) : error;
        });
      kick(row.id);
      return made;
    },

    /**
     * Increments the generation, which replaces the replicas, only if the provider's part of the deployment changes.
     */
    async update(actor: SignedIn, id: string, body: DeploymentUpdate): Promise<DeploymentRow> {
      const { autoscale, model_id, ...given } = body;
      const model = model_id === undefined ? undefined : await modelKey(model_id, actor.organizationId);
      return change(actor, { id, action: "update" }, (row) => {
        const values = {
          ...given,
          ...(model !== undefined && { model_id: model }),
          ...(autoscale && { autoscale_metric: autoscale.metric, autoscale_target: autoscale.target }),
        };
        const wanted = { ...row, ...values };
        check(wanted);
        const isNew = !isDeepStrictEqual(specOf(wanted), specOf(row));
        return { ...values, ...(isNew && { generation: row.generation + 1 }) };
      });
    },

    pause: (actor: SignedIn, id: string) => change(actor, { id, action: "pause" }, () => ({ paused: true })),

    async resume(actor: SignedIn, id: string): Promise<DeploymentRow> {
      const row = await deployments.findOf(actor.organizationId, id);
      if (row) await refuseWithoutPlan(actor);
      return change(actor, { id, action: "resume" }, ({ paused }) =>
        paused ? { paused: false, last_request_at: clock.now() } : {},
      );
    },

    /** Pauses the deployments of organizations whose plan no longer has a private cloud. */
    async pauseWithoutPlan(): Promise<void> {
      for (const organizationId of await deployments.organizations()) {
        const paused = await db.transaction().execute(async (trx) => {
          const { plan } = await plans.current(organizationId, trx);
          if (plan.private_cloud) return [];
          const rows = await deployments.pauseAll(organizationId, trx);
          const reason = `The plan ${plan.name} has no private cloud`;
          for (const { id } of rows) await deployments.note(id, "paused", reason, trx);
          const details = { plan_id: plan.id };
          for (const { id: target } of rows)
            await audit.record({ userId: null, organizationId, action: "deployments.pause", target, details }, trx);
          return rows;
        });
        for (const { id } of paused) kick(id);
      }
    },

    /** Marks a deployment as being deleted and deletes its tokens. Idempotent. */
    async delete(actor: SignedIn, id: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await deployments.lock(actor.organizationId, id, trx);
        if (!row) throw noSuchDeployment();
        if (row.deleting) return;
        await deployments.update(id, { deleting: true, updated_at: clock.now() }, trx);
        await tokens.endAll(id, trx);
        await audit.record({ actor, action: "deployments.delete", target: id, details: { name: row.name } }, trx);
      });
      kick(id);
    },

    async rotateToken(actor: SignedIn, id: string): Promise<string> {
      refuseLimitedKey(actor, { mayExpire: true });
      return db.transaction().execute(async (trx) => {
        const row = await deployments.lock(actor.organizationId, id, trx);
        if (!row) throw noSuchDeployment();
        if (row.deleting) throw isBeingDeleted();
        const token = await tokens.replace(id, actor, trx);
        await audit.record({ actor, action: "deployments.rotate_token", target: id }, trx);
        return token;
      });
    },

    async login(actor: SignedIn, id: string): Promise<{ token: string; expiresAt: Date }> {
      refuseLimitedKey(actor, { mayExpire: true });
      return db.transaction().execute(async (trx) => {
        const row = await deployments.lock(actor.organizationId, id, trx);
        if (!row) throw noSuchDeployment();
        if (row.deleting) throw isBeingDeleted();
        const link = await tokens.link(id, actor, trx);
        await audit.record({ actor, action: "deployments.login", target: id }, trx);
        return link;
      });
    },

    /** Replaces all replicas of each deployment. Returns a result per id; one failure does not affect the others. */
    async redeploy(admin: SignedIn, wanted: readonly string[]): Promise<Result[]> {
      const results: Result[] = [];
      for (const id of wanted)
        try {
          const which = { id, action: "redeploy", anyOrganization: true };
          await change(admin, which, ({ generation }) => ({ generation: generation + 1 }));
          results.push({ id, ok: true, error: null });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          results.push({ id, ok: false, error: error.message });
        }
      return results;
    },

    /** Marks all deployments of an organization as being deleted, before the organization itself is deleted. */
    async endAll(organizationId: string, trx: Database): Promise<void> {
      for (const { id } of await deployments.endAll(organizationId, trx)) await tokens.endAll(id, trx);
    },
  };
}

const NEW = {
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
