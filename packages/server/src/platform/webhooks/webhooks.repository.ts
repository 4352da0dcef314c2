import type { Insertable, Selectable, Updateable } from "kysely";
import { sql } from "kysely";
import { bind } from "../core/bind.ts";
import type { Database } from "../core/db/connect.ts";
import type { WebhookDeliveries, WebhookEndpoints } from "../core/db/schema.generated.ts";
import type { Page } from "../core/http/pagination.ts";

/** A row of the table of endpoints. */
export type EndpointRow = Selectable<WebhookEndpoints>;
/** A delivery with the type of its event. */
export type DeliveryRow = Selectable<WebhookDeliveries> & { event_type: string };

/** The filters for listing deliveries. */
export type DeliveryFilter = { endpointId: string; status?: string | undefined };

/** Reads and writes endpoints and deliveries. */
export function createWebhooksRepository(db: Database) {
  return {
    ...bind(db, { list: listEndpoints, find: findEndpoint, listDeliveries, countDeliveries, findDelivery }),
    lock: lockEndpoint,
    create: createEndpoint,
    update: updateEndpoint,
    delete: deleteEndpoint,
    insertDelivery,
    failPending,
  };
}

/** Reads and writes endpoints and deliveries. */
export type WebhooksRepository = ReturnType<typeof createWebhooksRepository>;

function listEndpoints(db: Database, organizationId: string): Promise<EndpointRow[]> {
  return db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

function findEndpoint(db: Database, organizationId: string, id: string): Promise<EndpointRow | undefined> {
  return db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Locks and returns an endpoint. The lock does not block the recording of events for it. */
function lockEndpoint(organizationId: string, id: string, trx: Database): Promise<EndpointRow | undefined> {
  return trx
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Inserts an endpoint. Returns null when the organization has `max` already, counted under a lock. */
async function createEndpoint(
  endpoint: Insertable<WebhookEndpoints>,
  max: number,
  trx: Database,
): Promise<EndpointRow | null> {
  await trx
    .selectFrom("organizations")
    .select("id")
    .where("id", "=", endpoint.organization_id)
    .forNoKeyUpdate()
    .execute();
  const { count } = await trx
    .selectFrom("webhook_endpoints")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", endpoint.organization_id)
    .executeTakeFirstOrThrow();
  if (count >= max) return null;
  return trx.insertInto("webhook_endpoints").values(endpoint).returningAll().executeTakeFirstOrThrow();
}

function updateEndpoint(id: string, change: Updateable<WebhookEndpoints>, trx: Database): Promise<EndpointRow> {
  return trx.updateTable("webhook_endpoints").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

function deleteEndpoint(id: string, trx: Database) {
  return trx.deleteFrom("webhook_endpoints").where("id", "=", id).execute();
}

function deliveries(db: Database) {
  return db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhook_events", "webhook_events.id", "webhook_deliveries.event_id")
    .selectAll("webhook_deliveries")
    .select("webhook_events.type as event_type");
}

function listDeliveries(
  db: Database,
  { endpointId, status }: DeliveryFilter,
  { limit, offset }: Pick<Page, "limit" | "offset">,
): Promise<DeliveryRow[]> {
  return deliveries(db)
    .where("endpoint_id", "=", endpointId)
    .$if(status !== undefined, (query) => query.where("status", "=", status ?? ""))
    .orderBy("webhook_deliveries.created_at", "desc")
    .orderBy("webhook_deliveries.id")
    .limit(limit)
    .offset(offset)
    .execute();
}

async function countDeliveries(db: Database, { endpointId, status }: DeliveryFilter): Promise<number> {
  const { count } = await db
    .selectFrom("webhook_deliveries")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("endpoint_id", "=", endpointId)
    .$if(status !== undefined, (query) => query.where("status", "=", status ?? ""))
    .executeTakeFirstOrThrow();
  return count;
}

function findDelivery(
  db: Database,
  endpointId: string,
  id: string,
  trx: Database = db,
): Promise<DeliveryRow | undefined> {
  return deliveries(trx)
    .where("endpoint_id", "=", endpointId)
    .where("webhook_deliveries.id", "=", id)
    .executeTakeFirst();
}

function insertDelivery(row: Insertable<WebhookDeliveries>, trx: Database) {
  return trx.insertInto("webhook_deliveries").values(row).execute();
}

/** Marks the pending deliveries to an endpoint as failed, with the reason. */
function failPending(endpointId: string, reason: string, trx: Database) {
  return trx
    .updateTable("webhook_deliveries")
    .set({ status: "failed", error: sql`coalesce(error || ' ', '') || ${reason}::text` })
    .where("endpoint_id", "=", endpointId)
    .where("status", "=", "pending")
    .execute();
}
