import type { Feather, WebhookDelivery, WebhookEndpoint, WebhookEventType } from "@feather/sdk";
import type { Flag } from "../../command-line.ts";
import type { Context } from "../../context.ts";
import { parseListOf } from "../../flags.ts";
import { pickItem } from "../../pick-item.ts";

/** The types of events that an endpoint can have. */
export const EVENT_TYPES = [
  "api_key.created",
  "api_key.deleted",
  "api_key.limit_reached",
  "api_key.limit_warning",
  "budget.reached",
  "budget.warning",
  "credits.low",
  "deployment.failed",
  "deployment.ready",
  "member.added",
  "member.removed",
  "model.available",
  "plan.changed",
] as const satisfies readonly WebhookEventType[];

/** The argument that names an endpoint. */
export const ENDPOINT_ARGUMENT = {
  name: "[endpoint]",
  summary: "its id: feather webhooks list; you are asked at a terminal",
} as const;

/** The flags of the fields that an endpoint is made with, and changed by. */
export const ENDPOINT_FLAGS: readonly Flag[] = [
  {
    name: "--events <types>",
    summary: `what is sent, by comma: ${EVENT_TYPES.join(", ")}`,
    parse: parseListOf(EVENT_TYPES),
  },
  { name: "--description <text>", summary: "what it is for" },
];

/** Fields of endpoints that `--json` accepts. */
export const ENDPOINT_FIELDS = [
  "id",
  "url",
  "description",
  "event_types",
  "disabled",
  "disabled_reason",
  "first_failed_at",
  "previous_secret_expires_at",
  "created_at",
] as const satisfies readonly (keyof WebhookEndpoint)[];

/** Fields of deliveries that `--json` accepts. */
export const DELIVERY_FIELDS = [
  "id",
  "endpoint_id",
  "event_id",
  "event_type",
  "status",
  "attempts",
  "response_status",
  "error",
  "last_attempt_at",
  "next_attempt_at",
  "created_at",
] as const satisfies readonly (keyof WebhookDelivery)[];

/** Returns in a word or two whether events are sent to the endpoint, and why not. */
export function formatState({ disabled_reason: reason, first_failed_at: since }: WebhookEndpoint): string {
  if (reason === "manual") return "disabled";
  if (reason === "failing") return "disabled: failed for 5 days";
  if (reason === "gone") return "disabled: gone";
  if (reason === "permission_ended") return "disabled: permission of its application ended";
  return since === null ? "works" : "failing";
}

/** Returns the id of an endpoint, or lets the person pick one. Throws `UsageError` when nobody can be asked. */
export async function resolveEndpointId(context: Context, feather: Feather, id: string): Promise<string> {
  if (id !== "") return id;
  const { signal } = context;
  return pickItem(context, {
    label: "Endpoint",
    alternative: "the endpoint's id: feather webhooks list",
    empty: ["there are no webhook endpoints yet", "feather webhooks create <url> --events <types>"],
    list: async () => (await feather.webhooks.list({ signal })).items,
    toChoice: (endpoint) => ({ label: endpoint.url, note: formatState(endpoint), value: endpoint.id }),
  });
}
