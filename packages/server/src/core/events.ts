import type { components } from "@feather/openapi/schema";
import type { Database } from "./db/connect.ts";

type Body = components["schemas"]["WebhookEvent"];
type TypeAndData<T> = T extends Body ? Pick<T, "type" | "data"> : never;

/** What happened in an organization, as its webhooks tell it. Data must not hold secrets. */
export type OrganizationEvent = TypeAndData<Exclude<Body, components["schemas"]["WebhookTestEvent"]>>;

/** Tells the webhooks of organizations what happened. */
export type Events = {
  /** Keeps an event for the endpoints that want it. It is sent if and only if `trx` commits. */
  record(organizationId: string, event: OrganizationEvent, trx: Database): Promise<void>;
};
