import { errorCode } from "@feather/testing/errors";
import { type FakeGcpMarketplace, GCP_SELLER, startFakeGcpMarketplace } from "@feather/testing/fake-gcp-marketplace";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../../testing/billing.ts";

const PUBLIC_URL = "http://localhost:4000";
const AUDIENCE = `${PUBLIC_URL}/api/cloud-marketplace/gcp/notifications`;

let fake: FakeGcpMarketplace;
let server: BillingServer;
beforeAll(async () => {
  fake = await startFakeGcpMarketplace();
  server = await createBillingServer(new Date().toISOString(), {
    FEATHER_PUBLIC_URL: PUBLIC_URL,
    FEATHER_MARKETPLACES: "gcp",
    FEATHER_GCP_MARKETPLACE_PROVIDER_ID: GCP_SELLER.providerId,
    FEATHER_GCP_MARKETPLACE_PRODUCTS: GCP_SELLER.product,
    FEATHER_GCP_MARKETPLACE_DOMAIN: GCP_SELLER.domain,
    FEATHER_GCP_MARKETPLACE_KEY: GCP_SELLER.serviceAccountKey,
    FEATHER_GCP_MARKETPLACE_PUSH_ACCOUNT: GCP_SELLER.pushAccount,
    FEATHER_GCP_MARKETPLACE_API_BASE: fake.url,
    FEATHER_OUTGOING_ALLOW: "127.0.0.1",
  });
});
afterAll(async () => {
  await server.close();
  await fake.close();
});

/** Sends a buyer with a token of Google's. Returns the token with which the page is opened. */
async function land(token: string): Promise<string | null> {
  const response = await fetch(`${server.url}/api/cloud-marketplace/gcp/landing`, {
    method: "POST",
    body: new URLSearchParams({ "x-gcp-marketplace-token": token }),
    redirect: "manual",
  });
  expect(response.status).toBe(303);
  const { pathname, searchParams } = new URL(response.headers.get("location") ?? "", server.url);
  expect([pathname, searchParams.get("provider")]).toEqual(["/connect-marketplace-account", "gcp"]);
  return searchParams.get("token");
}
const subscribe = async (who: Buyer, token: string) =>
  server.post(who, "/api/cloud-marketplace/subscribe", { provider: "gcp", token });
const planOf = async (who: Buyer) => {
  const { plan, status } = await server.subscription(who);
  return [plan.id, status];
};
const notify = (eventType: string, id: string, options = {}) => {
  const { headers, body } = fake.push({ eventType, entitlement: { id } }, AUDIENCE, options);
  return server.call("/api/cloud-marketplace/gcp/notifications", { method: "POST", headers, body });
};

/** A buyer on a plan that was bought at Google Cloud Marketplace. */
async function createCustomer() {
  const who = await server.createBuyer(null);
  const sale = fake.buy("feather_max");
  expect((await subscribe(who, (await land(sale.token)) ?? "")).body).toMatchObject({ status: "active" });
  return { who, ...sale };
}

test("a purchase at Google Cloud is approved when it is connected, and gives its plan", async () => {
  const { who, entitlement } = await createCustomer();
  expect(entitlement.state).toBe("ENTITLEMENT_ACTIVE");
  expect(await planOf(who)).toEqual(["feather_max", "active"]);
});

test("a buyer whose token is invalid comes to the page without one, and cannot connect anything with Google's", async () => {
  expect(await land("made-up")).toBe("");
  const who = await server.createBuyer(null);
  expect(errorCode((await subscribe(who, fake.buy("feather_max").token)).body)).toBe("marketplace.invalid_token");
});

test("a purchase that is no plan is not approved, so that its customer is not billed", async () => {
  const who = await server.createBuyer(null);
  const { entitlement, token } = fake.buy("unheard");
  expect(errorCode((await subscribe(who, (await land(token)) ?? "")).body)).toBe("marketplace.unknown_product");
  expect(entitlement.state).toBe("ENTITLEMENT_ACTIVATION_REQUESTED");
});

test("a change of plan at Google Cloud is approved, and changes the plan here", async () => {
  const { who, id, entitlement } = await createCustomer();
  fake.requestChange(id, "feather_scale");
  expect((await notify("ENTITLEMENT_PLAN_CHANGE_REQUESTED", id)).status).toBe(204);
  expect([entitlement.state, entitlement.plan]).toEqual(["ENTITLEMENT_ACTIVE", "feather_scale"]);
  expect(await planOf(who)).toEqual(["feather_scale", "active"]);
});

test("a change to what is no plan is not approved, and the plan stays", async () => {
  const { who, id, entitlement } = await createCustomer();
  fake.requestChange(id, "unheard");
  await notify("ENTITLEMENT_PLAN_CHANGE_REQUESTED", id);
  expect(entitlement.state).toBe("ENTITLEMENT_PENDING_PLAN_CHANGE_APPROVAL");
  expect(await planOf(who)).toEqual(["feather_max", "active"]);
});

test("a purchase that Google Cloud suspends pauses its plan", async () => {
  const { who, id } = await createCustomer();
  fake.setState(id, "ENTITLEMENT_SUSPENDED");
  await notify("ENTITLEMENT_SUSPENDED", id);
  expect(await planOf(who)).toEqual(["feather_max", "paused"]);
});

test("a push that somebody else signed for is refused and changes nothing", async () => {
  const { who, id } = await createCustomer();
  fake.setState(id, "ENTITLEMENT_CANCELLED");
  const refused = await notify("ENTITLEMENT_CANCELLED", id, { claims: { email: "other@example.com" } });
  expect([refused.status, errorCode(refused.body)]).toEqual([400, "marketplace.notification_refused"]);
  expect(await planOf(who)).toEqual(["feather_max", "active"]);
});
