import type { components } from "@feather/openapi/schema";
import type { DeliveryRow, EndpointRow } from "./webhooks.repository.ts";

type Schemas = components["schemas"];

/** Maps a row to the contract's `WebhookEndpoint`. */
export function toEndpointDto(row: EndpointRow, now: Date): Schemas["WebhookEndpoint"] {
  const previousEnd = row.previous_secret_expires_at;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    event_types: row.event_types as Schemas["WebhookEventType"][],
    disabled: row.disabled_reason !== null,
    disabled_reason: row.disabled_reason as Schemas["WebhookEndpoint"]["disabled_reason"],
    first_failed_at: row.first_failed_at?.toISOString() ?? null,
    previous_secret_expires_at: previousEnd && previousEnd > now ? previousEnd.toISOString() : null,
    created_at: row.created_at.toISOString(),
  };
}

/** Maps a row to the contract's `WebhookDelivery`. */
export function toDeliveryDto(row: DeliveryRow): Schemas["WebhookDelivery"] {
  return {
    id: row.id,
    endpoint_id: row.endpoint_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status as Schemas["WebhookDelivery"]["status"],
    attempts: row.attempts,
    response_status: row.response_status,
    error: row.error,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.status === "pending" ? row.send_after.toISOString() : null,
    created_at: row.created_at.toISOString(),
  };
}

/** Returns the body that an event is sent with. */
export function toEventBody<E extends Pick<Schemas["WebhookEvent"], "type" | "data">>(id: string, at: Date, event: E) {
  return { id, type: event.type, timestamp: at.toISOString(), data: event.data };
}
