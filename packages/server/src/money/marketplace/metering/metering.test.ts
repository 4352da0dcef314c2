import { errorCode } from "@feather/testing/errors";
import { AWS_SELLER, type FakeAwsMarketplace, startFakeAwsMarketplace } from "@feather/testing/fake-aws-marketplace";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import { type BillingServer, type Buyer, createBillingServer } from "../../../testing/billing.ts";
import { createChatRequest, errorOf, MODEL } from "../../../testing/chat.ts";
import type { Account } from "../../../testing/server.ts";
import {
  CENT,
  CENT_METER,
  createMeteredCalls,
  METERED_PLAN,
  type MeteredCalls,
  type MeteredUsage,
} from "../testing/metered-calls.ts";

const { productCode, topic } = AWS_SELLER;
const START = "2026-03-10T10:00:00Z";
const USD = 1_000_000_000n;
const OFFER = METERED_PLAN;
const DIMENSION = "extra_usage";
const METER = { dimension: DIMENSION, ...CENT_METER };

type Metering = {
  meter: { provider: string; paused: boolean } | null;
  monthly_limit_usd_cents: number | null;
  used_this_month_usd: string;
  drawn_this_month_usd: string;
};
let fake: FakeAwsMarketplace;
let server: BillingServer;
let admin: Account;
let metered: MeteredCalls;
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
    FEATHER_OUTGOING_ALLOW: "127.0.0.1",
  });
  now = () => server.clock.at;
  fake.metering.dimensions.add(DIMENSION);
  metered = await createMeteredCalls(server, "aws");
  admin = await server.signInAdmin();
});
beforeEach(async () => {
  // Each test begins in an hour of its own.
  server.clock.at = Math.ceil((server.clock.at + DAY_MS) / DAY_MS) * DAY_MS;
  admin = await server.signInAdmin();
  expect((await setMeter(METER)).status).toBe(200);
});
afterEach(async () => {
  fake.recover();
  await server.verifyBooks();
});
afterAll(async () => {
  await server.close();
  await fake.close();
});

let counter = 0;
/** An organization whose plan was bought at AWS, with this limit of metered usage in cents. */
async function createCustomer(limitCents: number | null) {
  const id = String(++counter).padStart(12, "0");
  const licenseArn = `arn:aws:license-manager::123456789012:license:l-${id}`;
  const customer = { productCode, accountId: id, licenseArn };
  fake.entitlements.push({ ...customer, dimension: OFFER, value: { IntegerValue: 1 } });
  const who = await server.createBuyer(null);
  const token = fake.register(customer);
  expect((await server.post(who, "/api/cloud-marketplace/subscribe", { provider: "aws", token })).status).toBe(201);
  if (limitCents !== null) expect((await setLimit(who, limitCents)).status).toBe(200);
  return { who, ...customer };
}
type Customer = Awaited<ReturnType<typeof createCustomer>>;

const setMeter = (meter: object) => metered.setMeter(meter);
const setLimit = (who: Buyer, limitCents: number | null) => metered.setLimit(who, limitCents);
const meteringOf = (who: Buyer) => server.read<Metering>(who, "/api/cloud-marketplace/metering");
const balanceOf = async ({ organizationId }: Buyer) =>
  (await server.api.credits.credits.balance(organizationId)).available;
const usageOf = ({ accountId }: Customer) => metered.usageOf(accountId);
const billedOf = ({ licenseArn }: Customer) =>
  fake.metering.records.filter((record) => record.licenseArn === licenseArn).map(({ quantity }) => quantity);

const call = (who: Buyer, cost: bigint, highest?: bigint) => metered.call(who, cost, highest);
const refusal = { code: "insufficient_credits", status: 402 };
const report = () => metered.report();
const endHour = () => metered.endHour();

describe("an organization whose plan was bought at a marketplace", () => {
  test("an organization uses nothing beyond its credits until it sets a limit", async () => {
    const { who } = await createCustomer(null);
    await expect(call(who, CENT)).rejects.toMatchObject(refusal);
    expect(await meteringOf(who)).toMatchObject({ meter: { provider: "aws" }, monthly_limit_usd_cents: null });
    await setLimit(who, 1000);
    await call(who, CENT);
    await setLimit(who, null);
    await expect(call(who, USD)).rejects.toMatchObject(refusal);
  });

  test("what an organization uses beyond its credits in an hour is reported once the hour is over, in whole units", async () => {
    const customer = await createCustomer(1000);
    const { who } = customer;
    const grant = { kind: "grant", description: "Included", reference: `test:${who.organizationId}` } as const;
    await server.api.credits.credits.grant(who.organizationId, 30n * CENT, grant);
    await call(who, 20n * CENT);
    await call(who, 21n * CENT + 5n, 90n * CENT);
    expect(await usageOf(customer)).toMatchObject([{ status: "open" }]);
    await report();
    expect(billedOf(customer)).toEqual([]);
    await endHour();
    // 41 cents and 5 nano-USD less the 30 cents of its own are 12 units of a cent.
    expect(billedOf(customer)).toEqual([12]);
    expect(await usageOf(customer)).toMatchObject([{ status: "accepted", units: 12, amount_usd: "0.12", attempts: 1 }]);
    expect(await balanceOf(who)).toBe(CENT - 5n);
    expect(await meteringOf(who)).toMatchObject({ monthly_limit_usd_cents: 1000, used_this_month_usd: "0.12" });
  });

  test("while an hour goes on, what was used is shown beside what was drawn for it, and only that is billed", async () => {
    const customer = await createCustomer(1000);
    const { who } = customer;
    for (let calls = 0; calls < 3; calls++) await call(who, 25n * CENT);
    // Each draw is of half a dollar: of the second one, half was used.
    expect(await meteringOf(who)).toMatchObject({ used_this_month_usd: "0.75", drawn_this_month_usd: "1.00" });
    await endHour();
    expect(await meteringOf(who)).toMatchObject({ used_this_month_usd: "0.75", drawn_this_month_usd: "0.75" });
    expect(billedOf(customer)).toEqual([75]);
    expect(await setLimit(who, 900)).toMatchObject({ body: { used_this_month_usd: "0.75" } });
  });

  test("what a call holds while it runs counts as used until it ends", async () => {
    const { who } = await createCustomer(1000);
    const { organizationId } = who;
    const held = { requestId: "req_runs", organizationId, userId: null, apiKeyId: null, amountNano: 80n * CENT };
    await server.api.credits.reservations.reserve(held);
    expect(await meteringOf(who)).toMatchObject({ used_this_month_usd: "0.80", drawn_this_month_usd: "0.80" });
    await server.api.credits.reservations.release("req_runs");
    expect(await meteringOf(who)).toMatchObject({ used_this_month_usd: "0.00", drawn_this_month_usd: "0.80" });
  });

  test("credits that came in within the hour pay for it first, and what is shown as used shrinks by them", async () => {
    const { who } = await createCustomer(1000);
    await call(who, 50n * CENT);
    const grant = { kind: "grant", description: "Gift", reference: `test:gift:${who.organizationId}` } as const;
    await server.api.credits.credits.grant(who.organizationId, 20n * CENT, grant);
    expect(await meteringOf(who)).toMatchObject({ used_this_month_usd: "0.30", drawn_this_month_usd: "0.50" });
  });

  test("an hour in which nothing of what was drawn was used is not reported", async () => {
    const customer = await createCustomer(1000);
    await call(customer.who, 0n, CENT);
    await endHour();
    expect([await usageOf(customer), billedOf(customer)]).toEqual([[], []]);
    expect(await balanceOf(customer.who)).toBe(0n);
  });

  test("credits that a call in progress holds when the hour ends stay with the organization", async () => {
    const customer = await createCustomer(1000);
    const { organizationId } = customer.who;
    const held = { requestId: "req_held", organizationId, userId: null, apiKeyId: null, amountNano: USD };
    await server.api.credits.reservations.reserve(held);
    await endHour();
    expect(billedOf(customer)).toEqual([100]);
    await server.api.credits.reservations.release("req_held");
    await call(customer.who, USD);
    expect((await usageOf(customer)).length).toBe(1);
  });

  test("chat calls go on when the credits are used up, and are refused in words once the limit is reached", async () => {
    await server.addUpstream();
    const price = { id: "price_metering", scope: "model", target: MODEL, prompt: "0", completion: "0", image: "0" };
    const now = server.clock.now();
    await server.api.prices.pricesRepository.add(
      { ...price, request: "0.4", effective_at: now, created_at: now },
      server.db,
    );
    server.api.prices.priceBook.invalidate();
    const { who } = await createCustomer(100);
    const chat = () => server.call("/v1/chat/completions", { token: who.key, body: createChatRequest() });
    expect([(await chat()).status, (await chat()).status]).toEqual([200, 200]);
    await server.api.gateway.usageWriter.flush();
    const refused = await chat();
    expect([refused.status, errorOf(refused.body).code]).toEqual([402, "insufficient_credits"]);
    expect(await meteringOf(who)).toMatchObject({ used_this_month_usd: "0.80", drawn_this_month_usd: "1.00" });
    await server.removeUpstreams();
  });

  test("calls end at the limit of the month, and go on in the next month", async () => {
    server.clock.at = Date.parse(`${new Date(server.clock.at).toISOString().slice(0, 8)}20T10:00:00Z`);
    admin = await server.signInAdmin();
    const { who } = await createCustomer(150);
    await call(who, USD);
    await expect(call(who, 51n * CENT)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringContaining("What is left of this month's limit of metered usage does not cover it"),
    });
    await call(who, 50n * CENT);
    await expect(call(who, 1n)).rejects.toMatchObject(refusal);
    server.clock.at += 15 * DAY_MS;
    await call(who, CENT);
  });

  test("calls at the same time do not exceed the limit", async () => {
    const { who } = await createCustomer(100);
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => call(who, 25n * CENT)));
    const codes = results.map((result) => (result.status === "fulfilled" ? "charged" : result.reason.code)).sort();
    const refused = Array<string>(8).fill("insufficient_credits");
    expect(codes).toEqual([...Array<string>(4).fill("charged"), ...refused]);
    expect((await meteringOf(who)).used_this_month_usd).toBe("1.00");
  });

  test("the limit is bounded by the operator, also when that is lowered later", async () => {
    const { who } = await createCustomer(null);
    const tooHigh = await setLimit(who, 50_001);
    expect([tooHigh.status, errorCode(tooHigh.body)]).toEqual([400, "invalid_request"]);
    await setLimit(who, 50_000);
    await setMeter({ ...METER, max_monthly_usd_cents: 10 });
    await expect(call(who, 11n * CENT)).rejects.toMatchObject(refusal);
    await call(who, 10n * CENT);
  });

  test("the limit of an API key holds for what is drawn beyond the credits too", async () => {
    const { who } = await createCustomer(1000);
    const { id: apiKeyId } = await server.db
      .updateTable("api_keys")
      .set({ spend_limit_nano_usd: String(40n * CENT) })
      .where("organization_id", "=", who.organizationId)
      .returning("id")
      .executeTakeFirstOrThrow();
    const { organizationId } = who;
    const reserve = (requestId: string, amountNano: bigint) =>
      server.api.credits.reservations.reserve({ requestId, organizationId, userId: null, apiKeyId, amountNano });
    await reserve("req_key_1", 40n * CENT);
    await expect(reserve("req_key_2", 20n * CENT)).rejects.toMatchObject({ code: "budget_exceeded" });
    await server.api.credits.reservations.release("req_key_1");
    await endHour();
    expect((await meteringOf(who)).used_this_month_usd).toBe("0.00");
  });

  test("a call that is only tried draws nothing", async () => {
    const { who } = await createCustomer(1000);
    const { organizationId } = who;
    const tried = { requestId: "req_tried", organizationId, userId: null, apiKeyId: null };
    const { reservations } = server.api.credits;
    expect(await reservations.findRefusal({ ...tried, amountNano: USD })).toBeNull();
    expect(await reservations.findRefusal({ ...tried, amountNano: 11n * USD })).toMatchObject(refusal);
    expect((await meteringOf(who)).used_this_month_usd).toBe("0.00");
  });

  test("what is drawn at another price counts for an hour of its own", async () => {
    const customer = await createCustomer(1000);
    await call(customer.who, 50n * CENT);
    await setMeter({ ...METER, unit_price_usd: "0.05" });
    await call(customer.who, 50n * CENT);
    server.clock.at += 2 * HOUR_MS + 5 * MINUTE_MS;
    await report();
    expect(billedOf(customer).sort()).toEqual([10, 50]);
    expect((await meteringOf(customer.who)).used_this_month_usd).toBe("1.00");
  });

  test("an organization that takes over a purchase within an hour is reported for another hour", async () => {
    const first = await createCustomer(1000);
    await call(first.who, 50n * CENT);
    const { token } = first.who;
    expect((await server.call("/api/account", { method: "DELETE", token, body: {} })).status).toBe(204);
    const { productCode: code, accountId, licenseArn } = first;
    const who = await server.createBuyer(null);
    const registration = fake.register({ productCode: code, accountId, licenseArn });
    await server.post(who, "/api/cloud-marketplace/subscribe", { provider: "aws", token: registration });
    await setLimit(who, 1000);
    await call(who, 25n * CENT);
    await report();
    expect(billedOf(first)).toEqual([50]);
    server.clock.at += 2 * HOUR_MS + 5 * MINUTE_MS;
    await report();
    expect(billedOf(first)).toEqual([50, 25]);
  });

  test("another purchase that is connected begins without metered usage", async () => {
    const { who, accountId } = await createCustomer(1000);
    const licenseArn = `arn:aws:license-manager::123456789012:license:l-again-${accountId}`;
    fake.entitlements.push({ productCode, accountId, licenseArn, dimension: OFFER, value: { IntegerValue: 1 } });
    const token = fake.register({ productCode, accountId, licenseArn });
    await server.post(who, "/api/cloud-marketplace/subscribe", { provider: "aws", token });
    expect(await meteringOf(who)).toMatchObject({ meter: { provider: "aws" }, monthly_limit_usd_cents: null });
    await expect(call(who, CENT)).rejects.toMatchObject(refusal);
  });

  test("an organization whose plan was bought elsewhere, or without a meter, cannot switch metered usage on", async () => {
    const elsewhere = await setLimit(await server.createBuyer(null), 1000);
    expect([elsewhere.status, errorCode(elsewhere.body)]).toEqual([409, "marketplace.not_metered"]);
    const { who } = await createCustomer(1000);
    const path = `/api/admin/marketplace-meters/aws/${OFFER}`;
    expect((await server.call(path, { method: "DELETE", token: admin.token })).status).toBe(204);
    expect(await meteringOf(who)).toMatchObject({ meter: null });
    await expect(call(who, CENT)).rejects.toMatchObject(refusal);
    const again = await server.call(path, { method: "DELETE", token: admin.token });
    expect([again.status, errorCode(again.body)]).toEqual([404, "marketplace.meter_not_found"]);
  });
});

describe("reports of metered usage", () => {
  test("usage whose answer was lost is sent again and billed once", async () => {
    const customer = await createCustomer(1000);
    await call(customer.who, 7n * CENT);
    fake.loseAnswers(100);
    await endHour();
    expect(await usageOf(customer)).toMatchObject([{ status: "sent", attempts: 1 }]);
    fake.recover();
    await report();
    expect(await usageOf(customer)).toMatchObject([{ status: "sent", attempts: 1 }]);
    server.clock.at += 5 * MINUTE_MS;
    await report();
    expect(await usageOf(customer)).toMatchObject([{ status: "accepted", attempts: 2 }]);
    expect(billedOf(customer)).toEqual([7]);
  });

  test("two servers that report at the same time send each hour once", async () => {
    const customers = [await createCustomer(1000), await createCustomer(1000)];
    for (const { who } of customers) await call(who, 3n * CENT);
    server.clock.at += HOUR_MS + 5 * MINUTE_MS;
    await Promise.all([report(), report(), report()]);
    for (const customer of customers) {
      expect(await usageOf(customer)).toMatchObject([{ status: "accepted", attempts: 1, units: 3 }]);
      expect(billedOf(customer)).toEqual([3]);
    }
  });

  test("usage that AWS did not process is sent again", async () => {
    const customer = await createCustomer(1000);
    await call(customer.who, 3n * CENT);
    fake.metering.unprocessed = 1;
    await endHour();
    expect(await usageOf(customer)).toMatchObject([{ status: "sent", reason: "AWS did not process the record." }]);
    server.clock.at += 5 * MINUTE_MS;
    await report();
    expect(await usageOf(customer)).toMatchObject([{ status: "accepted", reason: null }]);
  });

  test("the last hour of a purchase that is over is reported at once, and no more is used", async () => {
    const customer = await createCustomer(1000);
    await call(customer.who, 9n * CENT);
    server.clock.at += 2 * MINUTE_MS;
    const kept = fake.entitlements.filter(({ licenseArn }) => licenseArn !== customer.licenseArn);
    fake.entitlements.splice(0, fake.entitlements.length, ...kept);
    const { body } = await server.call("/api/admin/marketplace-purchases?status=active", { token: admin.token });
    const purchase = (body as { items: { id: string; customer_id: string }[] }).items.find(
      ({ customer_id }) => customer_id === customer.accountId,
    );
    await server.call(`/api/admin/marketplace-purchases/${purchase?.id}/settle`, {
      method: "POST",
      token: admin.token,
    });
    await report();
    expect(billedOf(customer)).toEqual([9]);
    await expect(call(customer.who, USD)).rejects.toMatchObject(refusal);
  });

  test("usage of an organization that was deleted is reported", async () => {
    const customer = await createCustomer(1000);
    await call(customer.who, 60n * CENT);
    const { token } = customer.who;
    expect((await server.call("/api/account", { method: "DELETE", token, body: {} })).status).toBe(204);
    await report();
    expect(billedOf(customer)).toEqual([60]);
    expect(await usageOf(customer)).toMatchObject([{ status: "accepted", organization_name: null }]);
  });

  test("an offer that is no plan has no meter", async () => {
    const path = "/api/admin/marketplace-meters/aws/feather_maxx";
    const { status, body } = await server.call(path, { method: "PUT", token: admin.token, body: METER });
    expect([status, errorCode(body)]).toEqual([400, "invalid_request"]);
  });

  test("a meter and a limit that allow no unit are refused", async () => {
    const { who } = await createCustomer(1000);
    const tooDear = await setMeter({ ...METER, unit_price_usd: "5", max_monthly_usd_cents: 499 });
    expect([tooDear.status, tooDear.text]).toEqual([400, expect.stringContaining("unit_price_usd must be at most")]);
    expect((await setMeter({ ...METER, unit_price_usd: "5", max_monthly_usd_cents: 500 })).status).toBe(200);
    const tooLow = await setLimit(who, 499);
    expect([tooLow.status, tooLow.text]).toEqual([400, expect.stringContaining("at least the price of a unit")]);
    expect((await setLimit(who, 500)).status).toBe(200);
  });

  test("what an organization drew and did not use is not billed when it is deleted", async () => {
    const customer = await createCustomer(2000);
    await call(customer.who, 5n * CENT, 1500n * CENT);
    const { token } = customer.who;
    expect((await server.call("/api/account", { method: "DELETE", token, body: {} })).status).toBe(204);
    await report();
    expect(billedOf(customer)).toEqual([5]);
  });

  test("usage that AWS refuses is written off with its reason, and pauses the purchase until the meter is saved", async () => {
    const customer = await createCustomer(1000);
    const { who } = customer;
    await call(who, 50n * CENT);
    fake.metering.unsubscribed.add(customer.licenseArn);
    const before = await server.api.ledger.balance("write_offs");
    await endHour();
    expect(await usageOf(customer)).toMatchObject([
      { status: "refused", reason: expect.stringContaining("no subscription any more"), attempts: 1 },
    ]);
    expect((await server.api.ledger.balance("write_offs")) - before).toBe(-50n * CENT);
    const event = await server.db
      .selectFrom("audit_log")
      .select("details")
      .where("action", "=", "marketplace.refuse_usage")
      .where("organization_id", "=", who.organizationId)
      .executeTakeFirstOrThrow();
    expect(event.details).toMatchObject({ provider: "aws", amount_nano_usd: String(50n * CENT) });
    expect(await meteringOf(who)).toMatchObject({ meter: { paused: true } });
    await expect(call(who, CENT)).rejects.toMatchObject(refusal);
    fake.metering.unsubscribed.delete(customer.licenseArn);
    server.clock.at += MINUTE_MS;
    await setMeter(METER);
    await call(who, CENT);
    await endHour();
    expect(billedOf(customer)).toEqual([1]);
  });

  test("usage that AWS takes no more because it does not answer for a day is written off", async () => {
    const customer = await createCustomer(1000);
    await call(customer.who, 4n * CENT);
    fake.fail(...Array<string>(100).fill("ThrottlingException"));
    await endHour();
    expect(await usageOf(customer)).toMatchObject([{ status: "sent" }]);
    server.clock.at += DAY_MS;
    admin = await server.signInAdmin();
    await report();
    expect(await usageOf(customer)).toMatchObject([{ status: "refused", reason: expect.stringContaining("Too late") }]);
    expect(billedOf(customer)).toEqual([]);
  });

  test("what a server whose clock is behind draws after an hour was closed is reported for the next hour", async () => {
    const customer = await createCustomer(1000);
    await call(customer.who, 50n * CENT);
    const start = server.clock.at;
    await endHour();
    server.clock.at = start + 59 * MINUTE_MS;
    await call(customer.who, 25n * CENT);
    await endHour();
    expect(billedOf(customer)).toEqual([50]);
    server.clock.at += HOUR_MS;
    await report();
    expect(billedOf(customer)).toEqual([50, 25]);
    const hours = (await usageOf(customer)).map(({ hour_starts_at }) => Date.parse(hour_starts_at));
    expect(hours).toEqual([start + HOUR_MS, start]);
  });
});

describe("administration of metered usage", () => {
  test("admins see and change what is metered, and the audit log says who did it", async () => {
    const { body } = await server.call("/api/admin/marketplace-meters", { token: admin.token });
    expect(body).toEqual({ items: [{ provider: "aws", offer: OFFER, ...METER, updated_at: expect.any(String) }] });
    const event = await server.db
      .selectFrom("audit_log")
      .select(["actor_user_id", "target", "details"])
      .where("action", "=", "marketplace.set_meter")
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({ actor_user_id: admin.userId, target: OFFER, details: { dimension: DIMENSION } });
  });

  test.each([
    ["a price of nothing", { unit_price_usd: "0.00" }],
    ["a price below a tenth of a cent", { unit_price_usd: "0.0001" }],
    ["a dimension with spaces", { dimension: "extra usage" }],
    ["no limit", { max_monthly_usd_cents: 0 }],
  ])("a meter with %s is refused", async (_what, change) => {
    expect((await setMeter({ ...METER, ...change })).status).toBe(400);
  });

  test("admins filter usage by state and marketplace", async () => {
    const read = async (query: string) =>
      (await server.call(`/api/admin/marketplace-usage?${query}`, { token: admin.token })).body as {
        items: MeteredUsage[];
      };
    expect((await read("provider=azure")).items).toEqual([]);
    const { items } = await read("provider=aws&status=refused");
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(["refused"]));
  });
});
