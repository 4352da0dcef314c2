import {
  AZURE_SELLER,
  type FakeAzureMarketplace,
  startFakeAzureMarketplace,
} from "@feather/testing/fake-azure-marketplace";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import { type BillingServer, createBillingServer } from "../../../testing/billing.ts";
import { CENT, CENT_METER, createMeteredCalls, METERED_PLAN, type MeteredCalls } from "../testing/metered-calls.ts";

const DIMENSION = "extra_usage";
const BATCH_PATH = "/api/batchUsageEvent";
const MAX_EVENTS = 25;

let fake: FakeAzureMarketplace;
let server: BillingServer;
let metered: MeteredCalls;
beforeAll(async () => {
  let now = Date.now;
  fake = await startFakeAzureMarketplace({ now: () => now() });
  server = await createBillingServer(new Date().toISOString(), {
    FEATHER_MARKETPLACES: "azure",
    FEATHER_AZURE_MARKETPLACE_OFFERS: AZURE_SELLER.offerId,
    FEATHER_AZURE_MARKETPLACE_TENANT_ID: AZURE_SELLER.tenantId,
    FEATHER_AZURE_MARKETPLACE_CLIENT_ID: AZURE_SELLER.clientId,
    FEATHER_AZURE_MARKETPLACE_CLIENT_SECRET: AZURE_SELLER.clientSecret,
    FEATHER_AZURE_MARKETPLACE_API_BASE: fake.url,
    FEATHER_OUTGOING_ALLOW: "127.0.0.1",
  });
  now = () => server.clock.at;
  fake.metering.dimensions.add(DIMENSION);
  metered = await createMeteredCalls(server, "azure");
});
beforeEach(async () => {
  // Each test begins in an hour of its own.
  server.clock.at = Math.ceil((server.clock.at + HOUR_MS) / HOUR_MS) * HOUR_MS;
  expect((await metered.setMeter({ dimension: DIMENSION, ...CENT_METER })).status).toBe(200);
});
afterEach(async () => {
  fake.recover();
  await server.verifyBooks();
});
afterAll(async () => {
  await server.close();
  await fake.close();
});

/** An organization whose plan was bought at Azure, with a limit of metered usage. */
async function createCustomer() {
  const who = await server.createBuyer(null);
  const { subscription, token } = fake.buy(METERED_PLAN, null);
  const answer = await server.post(who, "/api/cloud-marketplace/subscribe", { provider: "azure", token });
  expect(answer.body).toMatchObject({ status: "active" });
  expect((await metered.setLimit(who, 1000)).status).toBe(200);
  return { who, subscription };
}
const eventsOf = (id: string) => fake.metering.events.filter(({ resourceId }) => resourceId === id);
const runChecks = () => metered.runJob("settle purchases at marketplaces");

test("usage beyond the credits is reported to Azure for the subscription, its plan and the hour", async () => {
  const { who, subscription } = await createCustomer();
  const usedAt = server.clock.at;
  await metered.call(who, 12n * CENT);
  await metered.endHour();
  expect(eventsOf(subscription.id)).toEqual([
    {
      resourceId: subscription.id,
      planId: METERED_PLAN,
      dimension: DIMENSION,
      quantity: 12,
      effectiveStartTime: new Date(usedAt).toISOString(),
    },
  ]);
  expect(await metered.usageOf(subscription.id)).toMatchObject([{ status: "accepted", units: 12, reason: null }]);
});

test("usage that Azure took without an answer counts as accepted when it is sent again", async () => {
  const { who, subscription } = await createCustomer();
  await metered.call(who, 3n * CENT);
  fake.loseAnswers(100);
  await metered.endHour();
  expect(await metered.usageOf(subscription.id)).toMatchObject([{ status: "sent", attempts: 1 }]);
  fake.recover();
  server.clock.at += 5 * MINUTE_MS;
  await metered.report();
  expect(await metered.usageOf(subscription.id)).toMatchObject([{ status: "accepted", attempts: 2 }]);
  expect(eventsOf(subscription.id).map(({ quantity }) => quantity)).toEqual([3]);
});

test("usage of a subscription that is suspended is sent again, and accepted once it goes on", async () => {
  const { who, subscription } = await createCustomer();
  await metered.call(who, 7n * CENT);
  fake.setStatus(subscription.id, "Suspended");
  await metered.endHour();
  const reason = expect.stringContaining("ResourceNotActive");
  expect(await metered.usageOf(subscription.id)).toMatchObject([{ status: "sent", reason }]);
  fake.setStatus(subscription.id, "Subscribed");
  server.clock.at += 5 * MINUTE_MS;
  await metered.report();
  expect(await metered.usageOf(subscription.id)).toMatchObject([{ status: "accepted", units: 7 }]);
});

test("nothing more is drawn while Azure does not take usage of a subscription, which is written off after a day", async () => {
  const { who, subscription } = await createCustomer();
  await metered.call(who, 7n * CENT);
  fake.setStatus(subscription.id, "Suspended");
  await metered.endHour();
  for (let attempt = 0; attempt < 2; attempt++) {
    server.clock.at += 30 * MINUTE_MS;
    await metered.report();
  }
  await expect(metered.call(who, CENT)).rejects.toMatchObject({ code: "insufficient_credits" });
  server.clock.at += DAY_MS;
  await metered.report();
  const reason = expect.stringMatching(/Too late.*ResourceNotActive/);
  expect(await metered.usageOf(subscription.id)).toMatchObject([{ status: "refused", reason }]);
  expect(eventsOf(subscription.id)).toEqual([]);
});

test("a dimension that Azure does not know is refused in words, and usage goes on once the meter is right", async () => {
  await metered.setMeter({ ...CENT_METER, dimension: "mistyped" });
  const { who, subscription } = await createCustomer();
  await metered.call(who, 5n * CENT);
  await metered.endHour();
  const reason = expect.stringContaining("no such dimension");
  expect(await metered.usageOf(subscription.id)).toMatchObject([{ status: "refused", reason }]);
  await expect(metered.call(who, CENT)).rejects.toMatchObject({ code: "insufficient_credits" });
  server.clock.at += MINUTE_MS;
  await metered.setMeter({ ...CENT_METER, dimension: DIMENSION });
  await metered.call(who, 6n * CENT);
  await metered.endHour();
  expect(eventsOf(subscription.id).map(({ quantity }) => quantity)).toEqual([6]);
});

test("the last usage of a subscription that is canceled is closed before its plan ends", async () => {
  const { who, subscription } = await createCustomer();
  await metered.call(who, 4n * CENT);
  fake.setStatus(subscription.id, "Unsubscribed");
  server.clock.at += 2 * HOUR_MS;
  await runChecks();
  await metered.report();
  expect(await metered.usageOf(subscription.id)).toMatchObject([{ status: "sent", units: 4 }]);
  await expect(metered.call(who, 50n * CENT)).rejects.toMatchObject({ code: "insufficient_credits" });
});

test("the usage of many subscriptions goes in batches that Azure takes", async () => {
  const customers: Awaited<ReturnType<typeof createCustomer>>[] = [];
  for (let count = 0; count <= MAX_EVENTS; count++) customers.push(await createCustomer());
  for (const { who } of customers) await metered.call(who, 2n * CENT);
  const before = fake.requests.length;
  await metered.endHour();
  const sizes = fake.requests
    .slice(before)
    .filter(({ url }) => url.startsWith(BATCH_PATH))
    .map(({ body }) => (JSON.parse(body) as { request: unknown[] }).request.length);
  expect(Math.max(...sizes)).toBe(MAX_EVENTS);
  for (const { subscription } of customers)
    expect(eventsOf(subscription.id).map(({ quantity }) => quantity)).toEqual([2]);
});
