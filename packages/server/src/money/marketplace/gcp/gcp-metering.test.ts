import { type FakeGcpMarketplace, GCP_SELLER, startFakeGcpMarketplace } from "@feather/testing/fake-gcp-marketplace";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../platform/core/time.ts";
import { type BillingServer, createBillingServer } from "../../../testing/billing.ts";
import { CENT, CENT_METER, createMeteredCalls, METERED_PLAN, type MeteredCalls } from "../testing/metered-calls.ts";

const METRIC = `${GCP_SELLER.product}/extra_usage`;

let fake: FakeGcpMarketplace;
let server: BillingServer;
let metered: MeteredCalls;
beforeAll(async () => {
  fake = await startFakeGcpMarketplace();
  server = await createBillingServer(new Date().toISOString(), {
    FEATHER_MARKETPLACES: "gcp",
    FEATHER_GCP_MARKETPLACE_PROVIDER_ID: GCP_SELLER.providerId,
    FEATHER_GCP_MARKETPLACE_PRODUCTS: GCP_SELLER.product,
    FEATHER_GCP_MARKETPLACE_DOMAIN: GCP_SELLER.domain,
    FEATHER_GCP_MARKETPLACE_KEY: GCP_SELLER.serviceAccountKey,
    FEATHER_GCP_MARKETPLACE_PUSH_ACCOUNT: GCP_SELLER.pushAccount,
    FEATHER_GCP_MARKETPLACE_API_BASE: fake.url,
    FEATHER_OUTGOING_ALLOW: "127.0.0.1",
  });
  fake.usage.metrics.add(METRIC);
  metered = await createMeteredCalls(server, "gcp");
  expect((await metered.setMeter({ dimension: METRIC, ...CENT_METER })).status).toBe(200);
});
beforeEach(() => {
  // Each test begins in an hour of its own.
  server.clock.at = Math.ceil((server.clock.at + HOUR_MS) / HOUR_MS) * HOUR_MS;
});
afterEach(async () => {
  fake.recover();
  await server.verifyBooks();
});
afterAll(async () => {
  await server.close();
  await fake.close();
});

/** An organization whose plan was bought at Google Cloud, with a limit of metered usage. */
async function createCustomer() {
  const who = await server.createBuyer(null);
  const sale = fake.buy(METERED_PLAN);
  const seconds = Math.floor(server.clock.at / SECOND_MS);
  const buyerToken = fake.buyerToken(sale.accountId, { iat: seconds, exp: seconds + 300 });
  const landing = await fetch(`${server.url}/api/cloud-marketplace/gcp/landing`, {
    method: "POST",
    body: new URLSearchParams({ "x-gcp-marketplace-token": buyerToken }),
    redirect: "manual",
  });
  const token = new URL(landing.headers.get("location") ?? "", server.url).searchParams.get("token");
  const answer = await server.post(who, "/api/cloud-marketplace/subscribe", { provider: "gcp", token });
  expect(answer.body).toMatchObject({ status: "active" });
  expect((await metered.setLimit(who, 1000)).status).toBe(200);
  return { ...sale, who };
}
type Customer = Awaited<ReturnType<typeof createCustomer>>;

const operationsOf = ({ entitlement }: Customer) =>
  fake.usage.operations.filter(({ consumerId }) => consumerId === entitlement.usageReportingId);

test("usage beyond the credits is reported to Google for the consumer of the entitlement", async () => {
  const customer = await createCustomer();
  await metered.call(customer.who, 12n * CENT);
  await metered.endHour();
  const operationId = expect.stringMatching(/^mus_/);
  const { usageReportingId: consumerId } = customer.entitlement;
  expect(operationsOf(customer)).toEqual([{ operationId, consumerId, metricName: METRIC, value: 12 }]);
  expect(await metered.usageOf(customer.id)).toMatchObject([{ status: "accepted", units: 12 }]);
});

test("usage that Google took without an answer is reported again and counted once", async () => {
  const customer = await createCustomer();
  await metered.call(customer.who, 3n * CENT);
  fake.loseAnswers(100);
  await metered.endHour();
  expect(await metered.usageOf(customer.id)).toMatchObject([{ status: "sent", attempts: 1 }]);
  fake.recover();
  server.clock.at += 5 * MINUTE_MS;
  await metered.report();
  expect(await metered.usageOf(customer.id)).toMatchObject([{ status: "accepted", attempts: 2 }]);
  expect(operationsOf(customer).map(({ value }) => value)).toEqual([3]);
});

test("usage of an entitlement that is suspended is reported once it goes on", async () => {
  const customer = await createCustomer();
  await metered.call(customer.who, 7n * CENT);
  fake.setState(customer.id, "ENTITLEMENT_SUSPENDED");
  await metered.endHour();
  const reason = expect.stringContaining("SERVICE_NOT_ACTIVATED");
  expect(await metered.usageOf(customer.id)).toMatchObject([{ status: "sent", reason }]);
  fake.setState(customer.id, "ENTITLEMENT_ACTIVE");
  server.clock.at += 5 * MINUTE_MS;
  await metered.report();
  expect(operationsOf(customer).map(({ value }) => value)).toEqual([7]);
});

test("usage of an entitlement that stays canceled is given up after a month and written off", async () => {
  const customer = await createCustomer();
  await metered.call(customer.who, 7n * CENT);
  fake.setState(customer.id, "ENTITLEMENT_CANCELLED");
  await metered.endHour();
  server.clock.at += 31 * DAY_MS;
  await metered.report();
  const reason = expect.stringMatching(/Too late.*SERVICE_NOT_ACTIVATED/);
  expect(await metered.usageOf(customer.id)).toMatchObject([{ status: "refused", reason }]);
});

test("a metric that Google does not know is refused in the words of Google", async () => {
  const customer = await createCustomer();
  await metered.setMeter({ ...CENT_METER, dimension: "mistyped" });
  await metered.call(customer.who, 5n * CENT);
  await metered.endHour();
  const reason = "Metric mistyped is not defined.";
  expect(await metered.usageOf(customer.id)).toMatchObject([{ status: "refused", reason }]);
  server.clock.at += MINUTE_MS;
  await metered.setMeter({ ...CENT_METER, dimension: METRIC });
  await metered.call(customer.who, CENT);
});

test("one entitlement that Google refuses does not keep the others from being reported", async () => {
  const [wrong, right] = [await createCustomer(), await createCustomer()];
  await metered.call(wrong.who, 5n * CENT);
  await metered.call(right.who, 6n * CENT);
  fake.setState(wrong.id, "ENTITLEMENT_SUSPENDED");
  await metered.endHour();
  expect(await metered.usageOf(wrong.id)).toMatchObject([{ status: "sent" }]);
  expect(operationsOf(right).map(({ value }) => value)).toEqual([6]);
  fake.setState(wrong.id, "ENTITLEMENT_ACTIVE");
});
