import type { RecordedRequest } from "../../http-server.ts";

/** A purchase at Azure. */
export type Subscription = {
  id: string;
  publisherId: string;
  offerId: string;
  planId: string;
  quantity?: number;
  saasSubscriptionStatus: "PendingFulfillmentStart" | "Subscribed" | "Suspended" | "Unsubscribed";
  purchaser: { tenantId: string; emailId: string };
};
/** A change that the customer asked for. */
export type Operation = {
  id: string;
  subscriptionId: string;
  action: string;
  planId: string;
  quantity?: number;
  status: "InProgress" | "Succeeded" | "Failed";
};
type Store = {
  subscriptions: Map<string, Subscription>;
  operations: Map<string, Operation>;
  /** Ids of subscriptions by the tokens of buyers. */
  tokens: Map<string, string>;
};
type Reply = { status: number; body?: object };

const PATH = /^\/api\/saas\/subscriptions\/([^/]+)(?:\/(activate|operations)(?:\/([^/]+))?)?$/;
const NOT_FOUND: Reply = { status: 404, body: { error: { code: "EntityNotFound" } } };

/** Carries out a request of the fulfillment API. */
export function act(request: RecordedRequest, store: Store): Reply {
  const { pathname, searchParams } = new URL(request.url, "http://azure.test");
  if (searchParams.get("api-version") !== "2018-08-31") return { status: 400, body: { error: { code: "BadVersion" } } };
  if (pathname === "/api/saas/subscriptions/resolve") return resolve(request, store);
  const [, id = "", part, operationId] = PATH.exec(pathname) ?? [];
  const subscription = store.subscriptions.get(id);
  if (!subscription) return NOT_FOUND;
  const action = `${request.method} ${part ?? ""}`.trim();
  if (action === "GET") return { status: 200, body: subscription };
  if (action === "DELETE") {
    subscription.saasSubscriptionStatus = "Unsubscribed";
    return { status: 202 };
  }
  if (action === "POST activate") return activate(request, subscription);
  if (action === "GET operations") return { status: 200, body: { operations: listOutstanding(store, id) } };
  if (action === "PATCH operations") return acknowledge(request, store, subscription, operationId ?? "");
  return NOT_FOUND;
}

function resolve({ method, headers }: RecordedRequest, { tokens, subscriptions }: Store): Reply {
  const id = tokens.get(String(headers["x-ms-marketplace-token"]));
  const subscription = subscriptions.get(id ?? "");
  if (method !== "POST" || !subscription) return { status: 400, body: { error: { code: "BadArgument" } } };
  const { offerId, planId, quantity } = subscription;
  return {
    status: 200,
    body: {
      id,
      subscriptionName: "Feather",
      offerId,
      planId,
      ...(quantity !== undefined && { quantity }),
      subscription,
    },
  };
}

function activate({ body }: RecordedRequest, subscription: Subscription): Reply {
  const { planId, quantity } = JSON.parse(body) as { planId?: string; quantity?: number };
  if (planId !== subscription.planId || quantity !== subscription.quantity)
    return { status: 400, body: { error: { code: "BadArgument" } } };
  if (subscription.saasSubscriptionStatus === "Unsubscribed") return NOT_FOUND;
  subscription.saasSubscriptionStatus = "Subscribed";
  return { status: 200 };
}

function listOutstanding({ operations }: Store, id: string): Operation[] {
  return [...operations.values()].filter(
    ({ subscriptionId, status }) => subscriptionId === id && status === "InProgress",
  );
}

function acknowledge({ body }: RecordedRequest, store: Store, subscription: Subscription, operationId: string): Reply {
  const operation = store.operations.get(operationId);
  if (!operation) return NOT_FOUND;
  if (operation.status !== "InProgress") return { status: 409, body: { error: { code: "Conflict" } } };
  const { status } = JSON.parse(body) as { status?: string };
  operation.status = status === "Success" ? "Succeeded" : "Failed";
  if (operation.status === "Failed") return { status: 200 };
  if (operation.action === "Reinstate") subscription.saasSubscriptionStatus = "Subscribed";
  subscription.planId = operation.planId;
  if (operation.quantity !== undefined) subscription.quantity = operation.quantity;
  return { status: 200 };
}
