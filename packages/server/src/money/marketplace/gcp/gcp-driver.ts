import { z } from "zod";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { toUnavailable } from "../http/json-requests.ts";
import type {
  MarketplaceDriver,
  MarketplaceNotification,
  Purchase,
  ReceivedNotification,
} from "../marketplace-driver.ts";
import type { GcpClient } from "./gcp-client.ts";
import { formatUsageId, isTooLateForGcp, meterAtGcp } from "./gcp-metering.ts";
import type { GcpTokens } from "./gcp-tokens.ts";

type Deps = {
  client: GcpClient;
  tokens: GcpTokens;
  providerId: string;
  /** Names of the products that sell plans. */
  products: readonly string[];
  clock: Clock;
};

const entitlementSchema = z.object({
  /** `providers/{provider}/entitlements/{id}` */
  name: z.string(),
  /** `providers/{provider}/accounts/{id}` */
  account: z.string(),
  product: z.string().nullish(),
  productExternalName: z.string().nullish(),
  plan: z.string().nullish(),
  newPendingPlan: z.string().nullish(),
  state: z.string(),
  /** The consumer for whom usage is reported. */
  usageReportingId: z.string().nullish(),
  createTime: z.string().nullish(),
});
type Entitlement = z.infer<typeof entitlementSchema>;
const listSchema = z.object({
  entitlements: z.array(entitlementSchema).nullish(),
  nextPageToken: z.string().nullish(),
});
const accountSchema = z.object({
  approvals: z.array(z.object({ name: z.string().nullish(), state: z.string().nullish() })).nullish(),
});
const pushSchema = z.object({ message: z.object({ data: z.string(), messageId: z.string().nullish() }) });
const eventSchema = z.object({
  eventId: z.string().min(1).max(255),
  eventType: z.string().max(64).nullish(),
  providerId: z.string(),
  entitlement: z.object({ id: z.string() }).nullish(),
  account: z.object({ id: z.string() }).nullish(),
});

const ACTIVATION = "activation";
const REQUESTED = "ENTITLEMENT_ACTIVATION_REQUESTED";
const STATES: Readonly<Record<string, Purchase["state"]>> = {
  [REQUESTED]: "unconfirmed",
  ENTITLEMENT_ACTIVE: "active",
  // Both go on until the end of what is paid.
  ENTITLEMENT_PENDING_CANCELLATION: "active",
  ENTITLEMENT_PENDING_PLAN_CHANGE: "active",
  ENTITLEMENT_PENDING_PLAN_CHANGE_APPROVAL: "active",
  ENTITLEMENT_SUSPENDED: "suspended",
  ENTITLEMENT_CANCELLED: "ended",
};
const MAX_PAGES = 20;

/** Creates the driver of Google Cloud Marketplace: the Cloud Commerce Partner Procurement API. */
export function createGcpDriver(deps: Deps): MarketplaceDriver {
  return {
    isTest: false,
    ...bind(deps, { exchangeToken, resolve, find: findPurchase, confirm, reject, readNotification }),
    meter: (reports) => meterAtGcp(deps.client, reports),
    isTooLate: isTooLateForGcp,
  };
}

const idOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);
const pathOf = (reference: string) => `/entitlements/${encodeURIComponent(reference)}`;

async function exchangeToken({ tokens, clock }: Deps, token: string): Promise<string | null> {
  const accountId = await tokens.readBuyer(token, clock.now());
  return accountId === null ? null : tokens.issue(accountId, clock.now());
}

async function resolve(deps: Deps, token: string): Promise<Purchase | null> {
  const accountId = await deps.tokens.readIssued(token, deps.clock.now());
  if (accountId === null) return null;
  const entitlements = await listEntitlements(deps, accountId);
  const sold = entitlements.filter((entitlement) => isSold(deps, entitlement));
  const [first] = entitlements;
  if (first && sold.length === 0) throw errors.marketplace.unknownProduct({ product: productOf(first) });
  // A buyer comes for what waits; what was bought last is taken if several do.
  const [chosen] = sold.toSorted((a, b) => rankOf(b) - rankOf(a) || createdOf(b).localeCompare(createdOf(a)));
  return chosen ? toPurchase(chosen) : null;
}

const productOf = ({ productExternalName, product }: Entitlement) => productExternalName ?? product ?? "";
const isSold = ({ products }: Deps, entitlement: Entitlement) => products.includes(productOf(entitlement));
const rankOf = ({ state }: Entitlement) => (state === REQUESTED ? 1 : 0);
const createdOf = ({ createTime }: Entitlement) => createTime ?? "";

/** Returns the entitlements of an account that are not canceled. */
async function listEntitlements({ client }: Deps, accountId: string): Promise<Entitlement[]> {
  const found: Entitlement[] = [];
  let pageToken = "";
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { filter: `account=${accountId}`, ...(pageToken !== "" && { pageToken }) };
    const { body } = await client.procurement("GET", "/entitlements", { query });
    const { entitlements, nextPageToken } = readBody(listSchema, body);
    found.push(...(entitlements ?? []));
    if (!nextPageToken) break;
    pageToken = nextPageToken;
  }
  return found.filter(({ account, state }) => idOf(account) === accountId && STATES[state] !== "ended");
}

async function findEntitlement({ client }: Deps, reference: string): Promise<Entitlement | null> {
  const { status, body } = await client.procurement("GET", pathOf(reference));
  return status === 404 ? null : readBody(entitlementSchema, body);
}

async function findPurchase(deps: Deps, reference: string): Promise<Purchase | null> {
  const entitlement = await findEntitlement(deps, reference);
  return entitlement && toPurchase(entitlement);
}

/** Approves the account and the entitlement, from when on the customer is billed, or a change of plan. */
async function confirm(deps: Deps, { reference, awaits }: Purchase): Promise<void> {
  if (awaits === null) return;
  const entitlement = await findEntitlement(deps, reference);
  const next = entitlement && toPurchase(entitlement).awaits;
  if (!entitlement || next !== awaits) return;
  const path = pathOf(reference);
  if (awaits !== ACTIVATION)
    return expectDone(
      await deps.client.procurement("POST", `${path}:approvePlanChange`, { json: { pendingPlanName: awaits } }),
    );
  await approveAccount(deps, idOf(entitlement.account));
  expectDone(await deps.client.procurement("POST", `${path}:approve`, { json: {} }));
}

async function approveAccount({ client }: Deps, accountId: string): Promise<void> {
  const path = `/accounts/${encodeURIComponent(accountId)}`;
  const { approvals } = readBody(accountSchema, (await client.procurement("GET", path)).body);
  const isPending = approvals?.some(({ name, state }) => name === "signup" && state === "PENDING");
  if (isPending) expectDone(await client.procurement("POST", `${path}:approve`, { json: { approvalName: "signup" } }));
}

async function reject({ client }: Deps, reference: string, reason: string): Promise<void> {
  expectDone(await client.procurement("POST", `${pathOf(reference)}:reject`, { json: { reason } }));
}

/** Throws `marketplace.unavailable` unless the request was carried out. */
function expectDone({ status }: { status: number }): void {
  if (status >= 400) throw toUnavailable("gcp");
}

function toPurchase(entitlement: Entitlement): Purchase {
  const { name, account, plan, newPendingPlan, usageReportingId, state: known } = entitlement;
  const state = STATES[known];
  if (!state) throw toUnavailable("gcp");
  const change = known === "ENTITLEMENT_PENDING_PLAN_CHANGE_APPROVAL" ? (newPendingPlan ?? null) : null;
  const offer = change ?? plan;
  return {
    reference: idOf(name),
    customerId: idOf(account),
    items: offer ? [{ offer, quantity: 1 }] : [],
    state,
    awaits: known === REQUESTED ? ACTIVATION : change,
    usageId: usageReportingId ? formatUsageId(productOf(entitlement), usageReportingId) : null,
  };
}

function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw toUnavailable("gcp");
  return parsed.data;
}

async function readNotification(
  { tokens, providerId }: Deps,
  { body, authorization }: ReceivedNotification,
  now: Date,
): Promise<MarketplaceNotification | null> {
  await tokens.verifyPush(authorization, now);
  const push = pushSchema.safeParse(body).data;
  if (!push) throw errors.marketplace.notificationRefused("The body is no message of Pub/Sub.");
  const event = eventSchema.safeParse(parseJson(push.message.data)).data;
  if (event?.providerId !== providerId) return null;
  const { eventId, eventType, entitlement, account } = event;
  if (!entitlement && !account) return null;
  return {
    id: eventId,
    type: eventType ?? (entitlement ? "ENTITLEMENT" : "ACCOUNT"),
    reference: entitlement?.id ?? null,
    customerId: entitlement ? null : (account?.id ?? null),
  };
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(Buffer.from(data, "base64").toString("utf8"));
  } catch {
    return null;
  }
}
