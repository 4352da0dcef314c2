import type { components } from "@feather/openapi/schema";
import { sql } from "kysely";
import { bind } from "../core/bind.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import type { Events, OrganizationEvent } from "../core/events.ts";
import type { Ids } from "../core/ids.ts";
import { toEventBody } from "./webhooks.dto.ts";

type Deps = { clock: Clock; ids: Ids };
/** A stored event, and when it happened. */
export type StoredEvent = { id: string; at: Date };
type AnyEvent = OrganizationEvent | Pick<components["schemas"]["WebhookTestEvent"], "type" | "data">;

/** Stores events, within the transaction in which they happen, with a delivery for each endpoint that subscribes to them. */
export function createEventOutbox(deps: Deps): Events {
  return bind(deps, { record: recordEvent });
}

async function recordEvent(deps: Deps, organizationId: string, event: OrganizationEvent, trx: Database): Promise<void> {
  const endpoints = await trx
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("disabled_reason", "is", null)
    .where(sql<boolean>`${event.type} = any(event_types)`)
    .orderBy("id")
    .execute();
  if (endpoints.length === 0) return;
  const stored = await storeEvent(deps, organizationId, event, trx);
  const rows = endpoints.map((endpoint) => toDeliveryRow(deps, organizationId, endpoint.id, stored));
  await trx.insertInto("webhook_deliveries").values(rows).execute();
}

/** Stores an event without deliveries. */
export async function storeEvent(
  { clock, ids }: Deps,
  organizationId: string,
  event: AnyEvent,
  trx: Database,
): Promise<StoredEvent> {
  const [id, at] = [ids.next("whe"), clock.now()];
  const body = JSON.stringify(toEventBody(id, at, event));
  await trx
    .insertInto("webhook_events")
    .values({ id, organization_id: organizationId, type: event.type, body, created_at: at })
    .execute();
  return { id, at };
}

/** Returns a delivery of an event that is due now. */
export function toDeliveryRow({ ids }: Deps, organizationId: string, endpointId: string, { id, at }: StoredEvent) {
  return {
    id: ids.next("whd"),
    organization_id: organizationId,
    endpoint_id: endpointId,
    event_id: id,
    created_at: at,
    send_after: at,
  };
}

/** Removes a deleted user from the events of API keys, which contain the creator's name. */
export async function redactMaker(userId: string, trx: Database): Promise<void> {
  await trx
    .updateTable("webhook_events")
    .set({
      body: sql`(body::jsonb || jsonb_build_object('data',
        (body::jsonb -> 'data') || '{"created_by": null, "created_by_name": null}'::jsonb))::text`,
    })
    .where("type", "like", "api_key.%")
    .where(sql<boolean>`body::jsonb #>> '{data,created_by}' = ${userId}`)
    .execute();
}
