import { errorCode } from "@feather/testing/errors";
import { AWS_SELLER, type FakeAwsMarketplace, startFakeAwsMarketplace } from "@feather/testing/fake-aws-marketplace";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../testing/billing.ts";

const { productCode, topic } = AWS_SELLER;
const START = "2026-01-31T10:00:00Z";
const HOUR_MS = 3_600_000;

let fake: FakeAwsMarketplace;
let server: BillingServer;
beforeAll(async () => {
  let now = () => Date.parse(START);
  fake = await startFakeAwsMarketplace({ now: () => now() });
  server = await createBillingServer(START, {
    FEATHER_MARKETPLACES: "aws",
    FEATHER_AWS_MARKETPLACE_PRODUCTS: productCode,
    FEATHER_AWS_MARKETPLACE_TOPICS: topic,
    FEATHER_AWS_MARKETPLACE_ACCESS_KEY_ID: AWS_SELLER.accessKeyId,
    FEATHER_AWS_MARKETPLACE_SECRET_ACCESS_KEY: AWS_SELLER.secretAccessKey,
    FEATHER_AWS_MARKETPLACE_API_BASE: fake.url,
    FEATHER_MARKETPLACE_PLANS: '{"scale_units": "feather_scale"}',
    FEATHER_OUTGOING_ALLOW: "127.0.0.1",
  });
  now = () => server.clock.at;
});
afterAll(async () => {
  await server.close();
  await fake.close();
});

let counter = 0;
/** A customer of AWS Marketplace with a license. */
function newCustomer() {
  const id = String(++counter).padStart(12, "0");
  return { productCode, accountId: id, licenseArn: `arn:aws:license-manager::123456789012:license:l-${id}` };
}
type Customer = ReturnType<typeof newCustomer>;

/** Replaces what the customer is entitled to. */
function entitle({ licenseArn, ...customer }: Customer, ...items: [dimension: string, quantity: number][]): void {
  const kept = fake.entitlements.filter((entitlement) => entitlement.licenseArn !== licenseArn);
  const added = items.map(([dimension, quantity]) => ({
    ...customer,
    licenseArn,
    dimension,
    value: { IntegerValue: quantity },
  }));
  fake.entitlements.splice(0, fake.entitlements.length, ...kept, ...added);
}

const subscribe = (who: Buyer, token: string) =>
  server.post(who, "/api/cloud-marketplace/subscribe", { provider: "aws", token });
const accounts = async (who: Buyer) =>
  (await server.read<{ items: { product: string; status: string }[] }>(who, "/api/cloud-marketplace/accounts")).items;
const planOf = async (who: Buyer) => {
  const { plan, quantity, status } = await server.subscription(who);
  return [plan.id, quantity, status];
};
const notify = ({ headers, body }: { headers: Record<string, string>; body: object }) =>
  server.call("/api/cloud-marketplace/aws/notifications", {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
const updated = (customer: Customer, eventId?: string) =>
  notify(fake.licenseEvent("License Updated - Manufacturer", customer, eventId === undefined ? {} : { eventId }));
const deprovisioned = (customer: Customer) =>
  notify(fake.licenseEvent("License Deprovisioned - Manufacturer", customer));
const runJob = async (name: string) => server.platform.jobs.find((job) => job.name === name)?.run();
const runChecks = () => runJob("settle purchases at marketplaces");

/** A buyer on a plan that was bought at AWS Marketplace. */
async function createCustomer(dimension = "feather_max") {
  const [who, customer] = [await server.createBuyer(null), newCustomer()];
  entitle(customer, [dimension, 1]);
  const token = fake.register(customer);
  expect((await subscribe(who, token)).status).toBe(201);
  return { who, customer, token };
}

test("AWS sends a buyer to the page that connects the purchase, with the token", async () => {
  const form = new URLSearchParams({
    "x-amzn-marketplace-token": "a+/=&b",
    "x-amzn-marketplace-agreement-id": "agmt-1",
  });
  const path = `${server.url}/api/cloud-marketplace/aws/landing`;
  const response = await fetch(path, { method: "POST", body: form, redirect: "manual" });
  expect(response.status).toBe(303);
  const { pathname, searchParams } = new URL(response.headers.get("location") ?? "", server.url);
  expect([pathname, searchParams.get("provider"), searchParams.get("token")]).toEqual([
    "/connect-marketplace-account",
    "aws",
    "a+/=&b",
  ]);
  expect((await fetch(path, { method: "POST", body: new URLSearchParams({ x: "y" }) })).status).toBe(400);
});

test("a purchase at AWS gives its plan, in the quantity that was bought, also under another id", async () => {
  const [who, customer] = [await server.createBuyer(null), newCustomer()];
  entitle(customer, ["support", 1], ["scale_units", 3]);
  const answer = await subscribe(who, fake.register(customer));
  const { accountId } = customer;
  expect([answer.status, answer.body]).toEqual([
    201,
    { provider: "aws", customer_id: accountId, product: "feather_scale", status: "active", is_test: false },
  ]);
  const { unit_based } = await server.db
    .selectFrom("plans")
    .select("unit_based")
    .where("id", "=", "feather_scale")
    .executeTakeFirstOrThrow();
  expect(await planOf(who)).toEqual(["feather_scale", unit_based ? 3 : 1, "active"]);
});

test("a purchase that is no plan is refused, and its token works once the operator sells it", async () => {
  const [who, customer] = [await server.createBuyer(null), newCustomer()];
  entitle(customer, ["unheard", 1]);
  const token = fake.register(customer);
  const refused = await subscribe(who, token);
  expect([refused.status, errorCode(refused.body)]).toEqual([404, "marketplace.unknown_product"]);
  entitle(customer, ["feather_max", 1]);
  expect((await subscribe(who, token)).status).toBe(201);
});

test("an expired token of AWS is refused in words, and 503 says when AWS does not answer", async () => {
  const who = await server.createBuyer(null);
  const token = fake.register(newCustomer());
  fake.expire(token);
  expect(errorCode((await subscribe(who, token)).body)).toBe("marketplace.invalid_token");
  fake.fail(...Array<string>(3).fill("ThrottlingException"));
  const unavailable = await subscribe(who, fake.register(newCustomer()));
  expect([unavailable.status, errorCode(unavailable.body)]).toEqual([503, "marketplace.unavailable"]);
  expect(unavailable.headers.get("retry-after")).toBe("60");
});

test("one AWS account may pay for two organizations with two licenses", async () => {
  const [one, two] = [newCustomer(), newCustomer()];
  const both = [one, { ...two, accountId: one.accountId }];
  for (const [at, customer] of both.entries()) {
    entitle(customer, [at === 0 ? "feather_max" : "feather_scale", 1]);
    const who = await server.createBuyer(null);
    expect((await subscribe(who, fake.register(customer))).status).toBe(201);
    expect((await planOf(who))[0]).toBe(at === 0 ? "feather_max" : "feather_scale");
  }
});

test("a purchase that AWS has not confirmed is pending until a notification says so", async () => {
  const [who, customer] = [await server.createBuyer(null), newCustomer()];
  expect((await subscribe(who, fake.register(customer))).body).toMatchObject({ status: "pending" });
  expect((await updated(customer)).status).toBe(204);
  expect(await accounts(who)).toMatchObject([{ status: "pending" }]);
  entitle(customer, ["feather_max", 1]);
  expect((await updated(customer)).status).toBe(204);
  expect(await accounts(who)).toMatchObject([{ product: "feather_max", status: "active" }]);
  expect((await planOf(who))[0]).toBe("feather_max");
});

test("a pending purchase settles within an hour when the notification never comes", async () => {
  const [who, customer] = [await server.createBuyer(null), newCustomer()];
  await subscribe(who, fake.register(customer));
  entitle(customer, ["feather_max", 1]);
  await runChecks();
  expect(await accounts(who)).toMatchObject([{ status: "pending" }]);
  server.clock.at += HOUR_MS;
  await runChecks();
  expect(await accounts(who)).toMatchObject([{ status: "active" }]);
});

test("another plan or quantity at AWS changes the plan here", async () => {
  const { who, customer } = await createCustomer();
  entitle(customer, ["scale_units", 1]);
  await updated(customer);
  expect((await planOf(who))[0]).toBe("feather_scale");
  expect(await accounts(who)).toMatchObject([{ product: "feather_scale", status: "active" }]);
});

test("a plan ends a day after its license ended at AWS, and the organization gets mail before", async () => {
  const { who, customer } = await createCustomer();
  entitle(customer);
  await deprovisioned(customer);
  expect((await planOf(who))[0]).toBe("feather_max");
  expect((await server.listMails(who.email)).map(({ subject }) => subject)).toEqual([
    expect.stringContaining("your purchase at AWS Marketplace has ended"),
  ]);
  server.clock.at += 23 * HOUR_MS;
  await runChecks();
  expect((await planOf(who))[0]).toBe("feather_max");
  server.clock.at += HOUR_MS;
  await runChecks();
  expect((await planOf(who))[0]).toBe("feather_lite");
  expect(await accounts(who)).toMatchObject([{ status: "canceled" }]);
});

test("a license that is renewed within the grace keeps its plan", async () => {
  const { who, customer } = await createCustomer();
  entitle(customer);
  await deprovisioned(customer);
  entitle(customer, ["feather_max", 1]);
  await updated(customer);
  server.clock.at += 48 * HOUR_MS;
  await runChecks();
  expect((await planOf(who))[0]).toBe("feather_max");
});

test("notifications that come twice, late or in another order lead to what AWS says now", async () => {
  const { who, customer } = await createCustomer();
  await deprovisioned(customer);
  expect(await accounts(who)).toMatchObject([{ status: "active" }]);
  entitle(customer, ["scale_units", 1]);
  const requests = fake.requests.length;
  const answers = await Promise.all([
    updated(customer, "twice"),
    updated(customer, "twice"),
    updated(customer, "twice"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
  const sent = fake.requests.slice(requests).filter(({ method }) => method === "POST");
  expect(sent).toHaveLength(1);
  expect((await planOf(who))[0]).toBe("feather_scale");
});

test("a notification that failed is handled again", async () => {
  const { who, customer } = await createCustomer();
  entitle(customer, ["scale_units", 1]);
  fake.fail(...Array<string>(3).fill("InternalServiceErrorException"));
  expect((await updated(customer)).status).toBe(204);
  expect((await planOf(who))[0]).toBe("feather_max");
  server.clock.at += 31_000;
  await runJob("replay notifications of marketplaces");
  expect((await planOf(who))[0]).toBe("feather_scale");
});

test("notifications of products that were listed before June 2026 are found by their customer", async () => {
  const [who, { accountId }] = [await server.createBuyer(null), newCustomer()];
  const customer = { productCode, accountId, customerId: "X01EXAMPLE" };
  const entitlement = { productCode, accountId, dimension: "feather_max", value: { IntegerValue: 1 } };
  fake.entitlements.push(entitlement);
  await subscribe(who, fake.register(customer));
  entitlement.dimension = "scale_units";
  const text = JSON.stringify({
    action: "entitlement-updated",
    "customer-identifier": "X01EXAMPLE",
    "product-code": productCode,
  });
  expect((await notify(fake.message({ topic, text }))).status).toBe(204);
  expect((await planOf(who))[0]).toBe("feather_scale");
});

test("a notification whose signature is wrong is refused and changes nothing", async () => {
  const { who, customer } = await createCustomer();
  entitle(customer);
  const { headers, body } = fake.licenseEvent("License Deprovisioned - Manufacturer", customer);
  const refused = await notify({ headers, body: { ...body, Timestamp: "2026-01-01T00:00:00.000Z" } });
  expect([refused.status, errorCode(refused.body)]).toEqual([400, "marketplace.notification_refused"]);
  expect(await accounts(who)).toMatchObject([{ status: "active" }]);
});

test("a plan for which AWS collects is neither canceled nor replaced here", async () => {
  const { who } = await createCustomer();
  await server.addCard(who);
  const canceled = await server.call("/api/subscription", { method: "DELETE", token: who.key });
  expect([canceled.status, errorCode(canceled.body)]).toEqual([409, "marketplace.cancel_there"]);
  expect(canceled.text).toContain("AWS Marketplace");
  const bought = await server.change(who, { plan_id: "feather_basic" });
  expect([bought.status, errorCode(bought.body)]).toEqual([409, "marketplace.cancel_there"]);
  expect((await planOf(who))[0]).toBe("feather_max");
});

test("a purchase whose organization pays here waits until it does not", async () => {
  const [who, customer] = [await server.createBuyer(), newCustomer()];
  await subscribe(who, fake.register(customer));
  await server.change(who, { plan_id: "feather_basic" });
  entitle(customer, ["feather_max", 1]);
  await updated(customer);
  expect(await accounts(who)).toMatchObject([{ status: "pending" }]);
  expect((await planOf(who))[0]).toBe("feather_basic");
  await server.db
    .updateTable("subscriptions")
    .set({ status: "canceled", ended_at: server.clock.now() })
    .where("organization_id", "=", who.organizationId)
    .execute();
  await updated(customer);
  expect((await planOf(who))[0]).toBe("feather_max");
});

test("a plan that an admin granted instead is left alone by AWS", async () => {
  const { who, customer } = await createCustomer();
  const grant = { organizationId: who.organizationId, planId: "feather_scale", quantity: 1 };
  await server.db.transaction().execute((trx) => server.api.billing.grantPlan(grant, trx));
  entitle(customer, ["feather_max", 1]);
  await updated(customer);
  expect((await planOf(who))[0]).toBe("feather_scale");
  expect(await accounts(who)).toMatchObject([{ status: "canceled" }]);
});

test("a purchase of an organization that was deleted is forgotten", async () => {
  const { who, customer } = await createCustomer();
  await server.db.deleteFrom("organizations").where("id", "=", who.organizationId).execute();
  expect((await updated(customer)).status).toBe(204);
});
