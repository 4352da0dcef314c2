import { z } from "zod";
import { bind } from "../../../platform/core/bind.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { toUnavailable } from "../http/json-requests.ts";
import type {
  MarketplaceDriver,
  MarketplaceNotification,
  Purchase,
  ReceivedNotification,
} from "../marketplace-driver.ts";
import type { AzureClient } from "./azure-client.ts";
import { isTooLateForAzure, meterAtAzure } from "./azure-metering.ts";
import type { VerifyAzureCaller } from "./azure-webhooks.ts";

type Deps = {
  client: AzureClient;
  verifyCaller: VerifyAzureCaller;
  /** Ids of the offers that sell plans. */
  offers: readonly string[];
};

const quantity = z.coerce.number().int().min(1).nullish().catch(null);
const subscriptionSchema = z.object({
  id: z.string(),
  offerId: z.string(),
  planId: z.string(),
  quantity,
  saasSubscriptionStatus: z.string(),
  purchaser: z.object({ tenantId: z.string().nullish() }).nullish(),
  beneficiary: z.object({ tenantId: z.string().nullish() }).nullish(),
});
type Subscription = z.infer<typeof subscriptionSchema>;
const operationsSchema = z.object({
  operations: z.array(
    z.object({ id: z.string(), action: z.string(), status: z.string(), planId: z.string(), quantity }),
  ),
});
const webhookSchema = z.object({
  id: z.string().min(1).max(255),
  action: z.string().max(64),
  subscriptionId: z.string().min(1).max(255),
});

const ACTIVATION = "activation";
/** Operations that Azure carries out once they are acknowledged. */
const ACKNOWLEDGED_ACTIONS = ["ChangePlan", "ChangeQuantity", "Reinstate"];
const STATES: Readonly<Record<string, Purchase["state"]>> = {
  PendingFulfillmentStart: "unconfirmed",
  Subscribed: "active",
  Suspended: "suspended",
  Unsubscribed: "ended",
};

/** Creates the driver of Azure Marketplace: its SaaS fulfillment API, version 2. */
export function createAzureDriver(deps: Deps): MarketplaceDriver {
  return {
    isTest: false,
    exchangeToken: null,
    ...bind(deps, { resolve, find: findPurchase, confirm, reject, readNotification }),
    meter: (reports) => meterAtAzure(deps.client, reports),
    isTooLate: isTooLateForAzure,
  };
}

const SUBSCRIPTIONS = "/saas/subscriptions";
const pathOf = (reference: string) => `${SUBSCRIPTIONS}/${encodeURIComponent(reference)}`;

async function resolve({ client, offers }: Deps, token: string): Promise<Purchase | null> {
  const { status, body } = await client("POST", `${SUBSCRIPTIONS}/resolve`, {
    headers: { "x-ms-marketplace-token": token },
  });
  if (status !== 200) return null;
  const { subscription } = readBody(z.object({ subscription: subscriptionSchema }), body);
  if (!offers.includes(subscription.offerId))
    throw errors.marketplace.unknownProduct({ product: subscription.offerId });
  return toPurchase(subscription);
}

async function findPurchase({ client }: Deps, reference: string): Promise<Purchase | null> {
  const subscription = await findSubscription(client, reference);
  if (!subscription) return null;
  const purchase = toPurchase(subscription);
  if (purchase.state !== "active" && purchase.state !== "suspended") return purchase;
  const { body } = await client("GET", `${pathOf(reference)}/operations`);
  const { operations } = readBody(operationsSchema, body);
  const operation = operations.find(
    ({ action, status }) => status === "InProgress" && ACKNOWLEDGED_ACTIONS.includes(action),
  );
  if (!operation) return purchase;
  return { ...purchase, items: [toItem(operation)], awaits: operation.id };
}

async function findSubscription(client: AzureClient, reference: string): Promise<Subscription | null> {
  const { status, body } = await client("GET", pathOf(reference));
  return status === 404 ? null : readBody(subscriptionSchema, body);
}

/** Activates a subscription, from when on its customer is billed, or acknowledges an operation. */
async function confirm({ client }: Deps, { reference, awaits }: Purchase): Promise<void> {
  if (awaits === null) return;
  const path = pathOf(reference);
  if (awaits !== ACTIVATION)
    return expectDone(
      await client("PATCH", `${path}/operations/${encodeURIComponent(awaits)}`, { json: { status: "Success" } }),
    );
  const subscription = await findSubscription(client, reference);
  if (subscription?.saasSubscriptionStatus !== "PendingFulfillmentStart") return;
  const { planId, quantity: seats } = subscription;
  expectDone(await client("POST", `${path}/activate`, { json: { planId, ...(seats && { quantity: seats }) } }));
}

/** Deletes a subscription before it is activated. Azure takes no reason. */
async function reject({ client }: Deps, reference: string): Promise<void> {
  expectDone(await client("DELETE", pathOf(reference)));
}

/** Throws `marketplace.unavailable` unless the request was carried out, or had been before. */
function expectDone({ status }: { status: number }): void {
  if (status >= 400 && status !== 404 && status !== 409) throw toUnavailable("azure");
}

function toPurchase(subscription: Subscription): Purchase {
  const { id, saasSubscriptionStatus, purchaser, beneficiary } = subscription;
  const state = STATES[saasSubscriptionStatus];
  if (!state) throw toUnavailable("azure");
  return {
    reference: id,
    customerId: purchaser?.tenantId ?? beneficiary?.tenantId ?? id,
    items: [toItem(subscription)],
    state,
    awaits: state === "unconfirmed" ? ACTIVATION : null,
    usageId: id,
  };
}

function toItem({ planId, quantity: seats }: { planId: string; quantity?: number | null | undefined }) {
  return { offer: planId, quantity: seats ?? 1 };
}

function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw toUnavailable("azure");
  return parsed.data;
}

async function readNotification(
  { verifyCaller }: Deps,
  { body, authorization }: ReceivedNotification,
  now: Date,
): Promise<MarketplaceNotification | null> {
  await verifyCaller(authorization, now);
  const webhook = webhookSchema.safeParse(body).data;
  if (!webhook) throw errors.marketplace.notificationRefused("The body is no webhook of Azure Marketplace.");
  const { id, action, subscriptionId } = webhook;
  return { id, type: action, reference: subscriptionId, customerId: null };
}
