import type { Insertable, Selectable, Updateable } from "kysely";
import { sql } from "kysely";
import { z } from "zod";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Deployments } from "../../platform/core/db/schema.generated.ts";
import type { DeploymentState } from "./decide.ts";
import type { DeploymentSpec } from "./provider.ts";
import type { ReconciledDeployment, ReconcilerStore } from "./reconciler.ts";

/** A row of `deployments`. */
export type DeploymentRow = Selectable<Deployments>;

/** The names of a deployment's organization and creator. */
export type DeploymentNames = {
  organization: string;
  user_id: string | null;
  user_name: string | null;
  user_email: string | null;
};

const MAX_EVENTS_LISTED = 100;
/** The number of events that are kept per deployment. Older ones are deleted. */
const MAX_EVENTS_STORED = 500;

/** Columns that every change of the desired state sets. */
const VERSION_BUMP = {
  version: sql<number>`version + 1`,
  settings_version: sql<number>`settings_version + 1`,
};

const engineArgsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Returns the part of a deployment that its provider runs. */
export function toDeploymentSpec(row: DeploymentRow): DeploymentSpec {
  return {
    organizationId: row.organization_id,
    modelKey: row.model_id,
    revision: row.revision,
    region: row.region,
    instanceType: row.instance_type,
    engineArgs: engineArgsSchema.parse(row.engine_args),
  };
}

type Context = {
  db: Database;
  clock: Clock;
  /** Records the event for webhooks that a deployment has reached a new state. */
  tellState(row: DeploymentRow, trx: Database): Promise<void>;
};

/** Stores deployments and their events. */
export function createDeploymentsRepository(context: Context) {
  return {
    ...bind(context, {
      addEvent,
      count: countDeployments,
      list: listDeployments,
      findNames,
      find: findDeployment,
      findInOrganization,
      listActiveOrganizations,
      pauseAll,
      markAllDeleting,
      listEvents,
      deleteOldEvents,
    }),
    reconcilerStore: createReconcilerStore(context),
    insert: insertDeployment,
    lock: lockDeployment,
    update: updateDeployment,
    countByModel,
  };
}

export type DeploymentsRepository = ReturnType<typeof createDeploymentsRepository>;

async function addEvent(context: Context, id: string, state: string, message: string, trx: Database): Promise<void> {
  const { clock } = context;
  const event = { deployment_id: id, state, message, happened_at: clock.now() };
  await trx.insertInto("deployment_events").values(event).execute();
}

function createReconcilerStore(context: Context): ReconcilerStore {
  const { db } = context;
  return {
    listIds: async () =>
      (await db.selectFrom("deployments").select("id").orderBy("created_at").execute()).map(({ id }) => id),

    async find(id): Promise<ReconciledDeployment | null> {
      const row = await db.selectFrom("deployments").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? { ...row, state: row.state as DeploymentState, spec: toDeploymentSpec(row) } : null;
    },

    save: (id, version, found, event) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable("deployments")
          .set({ ...found, version: version + 1 })
          .where("id", "=", id)
          .where("version", "=", version)
          .returningAll()
          .executeTakeFirst();
        if (!row) return false;
        if (event) {
          await addEvent(context, id, found.state, event.message, trx);
          await context.tellState(row, trx);
        }
        return true;
      }),

    delete: async (id) =>
      void (await db.deleteFrom("deployments").where("id", "=", id).where("deleting", "=", true).execute()),
  };
}

function insertDeployment(row: Insertable<Deployments>, trx: Database): Promise<DeploymentRow> {
  return trx.insertInto("deployments").values(row).returningAll().executeTakeFirstOrThrow();
}

async function countDeployments({ db }: Context, organizationId: string | null): Promise<number> {
  return (
    await db
      .selectFrom("deployments")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .$if(organizationId !== null, (query) => query.where("organization_id", "=", organizationId))
      .executeTakeFirstOrThrow()
  ).count;
}

/** Returns the deployments of an organization; of all organizations if `organizationId` is null. */
function listDeployments(
  { db }: Context,
  organizationId: string | null,
  limit: number,
  offset: number,
): Promise<DeploymentRow[]> {
  return db
    .selectFrom("deployments")
    .selectAll()
    .$if(organizationId !== null, (query) => query.where("organization_id", "=", organizationId))
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Returns the names of organizations and creators, by deployment id. */
async function findNames({ db }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, DeploymentNames>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("deployments")
    .innerJoin("organizations", "organizations.id", "deployments.organization_id")
    .leftJoin("users", "users.id", "deployments.created_by")
    .select([
      "deployments.id",
      "organizations.name as organization",
      "users.id as user_id",
      "users.name as user_name",
      "users.email as user_email",
    ])
    .where("deployments.id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function findDeployment({ db }: Context, id: string): Promise<DeploymentRow | undefined> {
  return db.selectFrom("deployments").selectAll().where("id", "=", id).executeTakeFirst();
}

function findInOrganization({ db }: Context, organizationId: string, id: string): Promise<DeploymentRow | undefined> {
  return db
    .selectFrom("deployments")
    .selectAll()
    .where("id", "=", id)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
}

/** Returns a deployment and locks its row. It may belong to any organization if `organizationId` is null. */
function lockDeployment(organizationId: string | null, id: string, trx: Database): Promise<DeploymentRow | undefined> {
  return trx
    .selectFrom("deployments")
    .selectAll()
    .where("id", "=", id)
    .$if(organizationId !== null, (query) => query.where("organization_id", "=", organizationId))
    .forUpdate()
    .executeTakeFirst();
}

function updateDeployment(id: string, change: Updateable<Deployments>, trx: Database): Promise<DeploymentRow> {
  return trx
    .updateTable("deployments")
    .set({ ...change, ...VERSION_BUMP })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns the organizations with deployments that are neither paused nor being deleted. */
async function listActiveOrganizations({ db }: Context): Promise<string[]> {
  const rows = await db
    .selectFrom("deployments")
    .select("organization_id")
    .distinct()
    .where("paused", "=", false)
    .where("deleting", "=", false)
    .execute();
  return rows.map((row) => row.organization_id);
}

function pauseAll({ clock }: Context, organizationId: string, trx: Database) {
  return trx
    .updateTable("deployments")
    .set({ paused: true, ...VERSION_BUMP, updated_at: clock.now() })
    .where("organization_id", "=", organizationId)
    .where("paused", "=", false)
    .where("deleting", "=", false)
    .returning("id")
    .execute();
}

/** Marks all deployments of an organization as being deleted. */
function markAllDeleting({ clock }: Context, organizationId: string, trx: Database) {
  return trx
    .updateTable("deployments")
    .set({ deleting: true, ...VERSION_BUMP, updated_at: clock.now() })
    .where("organization_id", "=", organizationId)
    .returning("id")
    .execute();
}

async function countByModel(modelKey: string, trx: Database): Promise<number> {
  return (
    await trx
      .selectFrom("deployments")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("model_id", "=", modelKey)
      .executeTakeFirstOrThrow()
  ).count;
}

function listEvents({ db }: Context, id: string) {
  return db
    .selectFrom("deployment_events")
    .select(["state", "message", "happened_at"])
    .where("deployment_id", "=", id)
    .orderBy("id", "desc")
    .limit(MAX_EVENTS_LISTED)
    .execute();
}

function deleteOldEvents({ db }: Context) {
  return sql`delete from deployment_events e using (
        select id, row_number() over (partition by deployment_id order by id desc) as place from deployment_events
      ) numbered where numbered.id = e.id and numbered.place > ${MAX_EVENTS_STORED}`.execute(db);
}
