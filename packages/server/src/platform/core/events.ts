import type { components } from "@feather/openapi/schema";
import type { Database } from "./db/connect.ts";

type Body = components["schemas"]["WebhookEvent"];
type TypeAndData<T> = T extends Body ? Pick<T, "type" | "data"> : never;

/** An event in an organization, in the form that webhooks receive. Its data must not contain secrets. */
export type OrganizationEvent = TypeAndData<Exclude<Body, components["schemas"]["WebhookTestEvent"]>>;

/** Records events for the webhooks of organizations. */
export type Events = {
  /** Stores an event for the endpoints that have subscribed to it. It is sent only if `trx` commits. */
  record(organizationId: string, event: OrganizationEvent, trx: Database): Promise<void>;
};
