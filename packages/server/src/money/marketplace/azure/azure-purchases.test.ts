import { errorCode } from "@feather/testing/errors";
import {
  AZURE_SELLER,
  type FakeAzureMarketplace,
  startFakeAzureMarketplace,
} from "@feather/testing/fake-azure-marketplace";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../../testing/billing.ts";

const MODEL = "feather/demo";
const HOUR_MS = 3_600_000;

let fake: FakeAzureMarketplace;
let server: BillingServer;
beforeAll(async () => {
  fake = await startFakeAzureMarketplace();
  server = await createBillingServer(new Date().toISOString(), {
    FEATHER_MARKETPLACES: "azure",
    FEATHER_AZURE_MARKETPLACE_OFFERS: AZURE_SELLER.offerId,
    FEATHER_AZURE_MARKETPLACE_TENANT_ID: AZURE_SELLER.tenantId,
    FEATHER_AZURE_MARKETPLACE_CLIENT_ID: AZURE_SELLER.clientId,
    FEATHER_AZURE_MARKETPLACE_CLIENT_SECRET: AZURE_SELLER.clientSecret,
    FEATHER_AZURE_MARKETPLACE_API_BASE: fake.url,
    FEATHER_OUTGOING_ALLOW: "127.0.0.1",
  });
  await server.addUpstream({}, [MODEL]);
});
afterAll(async () => {
  await server.close();
  await fake.close();
});

const subscribe = (who: Buyer, token: string) =>
  server.post(who, "/api/cloud-marketplace/subscribe", { provider: "azure", token });
const planOf = async (who: Buyer) => {
  const { plan, status } = await server.subscription(who);
  return [plan.id, status];
};
const statusOf = async (who: Buyer) => {
  const { items } = await server.read<{ items: { status: string }[] }>(who, "/api/cloud-marketplace/accounts");
  return items[0]?.status;
};
const call = (who: Buyer) =>
  server.call("/v1/chat/completions", {
    token: who.key,
    body: { model: MODEL, messages: [{ role: "user", content: "Hi" }] },
  });
const notify = ({ headers, body }: { headers: Record<string, string>; body: object }) =>
  server.call("/api/cloud-marketplace/azure/notifications", { method: "POST", headers, body });
const runChecks = () => server.platform.jobs.find(({ name }) => name === "settle purchases at marketplaces")?.run();

/** A buyer on a plan that was bought at Azure Marketplace. */
async function createCustomer(planId = "feather_max") {
  const who = await server.createBuyer(null);
  const { subscription, token } = fake.buy(planId, null);
  expect((await subscribe(who, token)).body).toMatchObject({ status: "active", product: planId });
  return { who, subscription };
}

test("Azure sends a buyer to the page that connects the purchase, with the token", async () => {
  const path = `${server.url}/api/cloud-marketplace/azure/landing?token=a%2B%2F%3D`;
  const response = await fetch(path, { redirect: "manual" });
  expect(response.status).toBe(303);
  const { pathname, searchParams } = new URL(response.headers.get("location") ?? "", server.url);
  expect([pathname, searchParams.get("provider"), searchParams.get("token")]).toEqual([
    "/connect-marketplace-account",
    "azure",
    "a+/=",
  ]);
});

test("a purchase at Azure is activated when it is connected, and gives its plan", async () => {
  const { who, subscription } = await createCustomer();
  expect(subscription.saasSubscriptionStatus).toBe("Subscribed");
  expect(await planOf(who)).toEqual(["feather_max", "active"]);
});

test("a purchase that is no plan is not activated, so that its customer is not billed", async () => {
  const who = await server.createBuyer(null);
  const { subscription, token } = fake.buy("unheard", null);
  expect(errorCode((await subscribe(who, token)).body)).toBe("marketplace.unknown_product");
  expect(subscription.saasSubscriptionStatus).toBe("PendingFulfillmentStart");
});

test("a purchase of an organization that pays here is not activated", async () => {
  const who = await server.createBuyer();
  await server.change(who, { plan_id: "feather_basic" });
  const { subscription, token } = fake.buy("feather_max", null);
  expect(errorCode((await subscribe(who, token)).body)).toBe("marketplace.plan_is_paid");
  expect(subscription.saasSubscriptionStatus).toBe("PendingFulfillmentStart");
});

test("a suspended purchase refuses calls in words and keeps its plan, until it is reinstated", async () => {
  const { who, subscription } = await createCustomer();
  expect((await call(who)).status).toBe(200);
  fake.setStatus(subscription.id, "Suspended");
  expect((await notify(fake.webhook(subscription.id, "Suspend"))).status).toBe(204);
  const refused = await call(who);
  expect([refused.status, errorCode(refused.body)]).toEqual([403, "plan_suspended"]);
  expect(refused.headers.get("x-should-retry")).toBe("false");
  expect([await planOf(who), await statusOf(who)]).toEqual([["feather_max", "paused"], "suspended"]);
  fake.setStatus(subscription.id, "Subscribed");
  await notify(fake.webhook(subscription.id, "Reinstate"));
  expect((await call(who)).status).toBe(200);
  expect([await planOf(who), await statusOf(who)]).toEqual([["feather_max", "active"], "active"]);
});

test("a suspended purchase that is canceled ends its plan after the grace", async () => {
  const { who, subscription } = await createCustomer();
  fake.setStatus(subscription.id, "Suspended");
  await notify(fake.webhook(subscription.id, "Suspend"));
  fake.setStatus(subscription.id, "Unsubscribed");
  await notify(fake.webhook(subscription.id, "Unsubscribe"));
  server.clock.at += 24 * HOUR_MS;
  await runChecks();
  expect([(await planOf(who))[0], await statusOf(who)]).toEqual(["feather_lite", "canceled"]);
  server.clock.at -= 24 * HOUR_MS;
});

test("a change of plan at Azure is acknowledged, and changes the plan here", async () => {
  const { who, subscription } = await createCustomer();
  const operation = fake.requestChange(subscription.id, "feather_scale", null);
  await notify(fake.webhook(subscription.id, "ChangePlan", { id: operation.id }));
  expect(operation.status).toBe("Succeeded");
  expect(await planOf(who)).toEqual(["feather_scale", "active"]);
});

test("a change of which the webhook comes too early is found the next minute", async () => {
  const { who, subscription } = await createCustomer();
  await notify(fake.webhook(subscription.id, "ChangePlan"));
  subscription.planId = "feather_scale";
  expect((await planOf(who))[0]).toBe("feather_max");
  await runChecks();
  expect((await planOf(who))[0]).toBe("feather_scale");
});

test("a purchase stays pending when Azure does not activate it, and an admin settles it later", async () => {
  const admin = await server.signInAdmin();
  const who = await server.createBuyer(null);
  const { subscription, token } = fake.buy("feather_max", null);
  const settle = async () => {
    const { items } = (
      await server.call(`/api/admin/marketplace-purchases?search=${subscription.id}`, { token: admin.token })
    ).body as { items: { id: string }[] };
    const path = `/api/admin/marketplace-purchases/${items[0]?.id}`;
    return server.call(`${path}/settle`, { method: "POST", token: admin.token });
  };
  fake.fail(/activate/, 500, 500, 500);
  expect((await subscribe(who, token)).body).toMatchObject({ status: "pending" });
  expect((await planOf(who))[0]).toBe("feather_lite");
  expect([(await settle()).body]).toMatchObject([{ status: "active", plan_id: "feather_max" }]);
  expect((await planOf(who))[0]).toBe("feather_max");
});

test("an admin rejects a pending purchase with a reason, and Azure bills nothing", async () => {
  const admin = await server.signInAdmin();
  const { who, subscription } = await createCustomer();
  await server.db
    .updateTable("marketplace_accounts")
    .set({ status: "pending" })
    .where("reference", "=", subscription.id)
    .execute();
  const { id } = await server.db
    .selectFrom("marketplace_accounts")
    .select("id")
    .where("reference", "=", subscription.id)
    .executeTakeFirstOrThrow();
  const answer = await server.call(`/api/admin/marketplace-purchases/${id}/reject`, {
    token: admin.token,
    body: { reason: "Not signed" },
  });
  expect([answer.status, answer.body]).toMatchObject([200, { status: "canceled", note: "Not signed" }]);
  expect(subscription.saasSubscriptionStatus).toBe("Unsubscribed");
  expect(await statusOf(who)).toBe("canceled");
});

test("a webhook without a token of Microsoft is refused and changes nothing", async () => {
  const { who, subscription } = await createCustomer();
  fake.setStatus(subscription.id, "Unsubscribed");
  const { body } = fake.webhook(subscription.id, "Unsubscribe");
  const refused = await notify({ headers: {}, body });
  expect([refused.status, errorCode(refused.body)]).toEqual([400, "marketplace.notification_refused"]);
  expect(await statusOf(who)).toBe("active");
});
