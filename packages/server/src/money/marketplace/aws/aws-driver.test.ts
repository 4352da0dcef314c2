import { generateKeyPairSync } from "node:crypto";
import { AWS_SELLER, type FakeAwsMarketplace, startFakeAwsMarketplace } from "@feather/testing/fake-aws-marketplace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOutgoing } from "../../../platform/core/network/outgoing.ts";
import type { PurchasedItem, UsageReport } from "../marketplace-driver.ts";
import {
  describeMarketplaceDriver,
  type MarketplaceUnderTest,
  type Sale,
} from "../testing/marketplace-driver-behaviors.ts";
import { createAwsClient } from "./aws-client.ts";
import { createAwsDriver } from "./aws-driver.ts";

const { productCode, topic } = AWS_SELLER;
const logged: object[] = [];
const NOW = new Date("2026-11-20T10:00:00Z");
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const OTHER_KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

function createDriver(fake: FakeAwsMarketplace) {
  return createAwsDriver({
    client: createAwsClient({
      credentials: AWS_SELLER,
      apiBase: fake.url,
      log: { error: (fields: object) => void logged.push(fields) },
    }),
    products: [productCode],
    topics: [topic],
    fetch: createOutgoing({ allow: ["127.0.0.1"] }).fetch,
    apiBase: fake.url,
    now: () => NOW,
  });
}

async function startAws(): Promise<MarketplaceUnderTest> {
  const fake = await startFakeAwsMarketplace({ now: () => NOW.getTime() });
  fake.metering.dimensions.add("extra_usage");
  let count = 0;
  const sales = new Map<string, { productCode: string; accountId: string; licenseArn: string }>();
  const registrationOf = ({ id }: Sale) => {
    const registration = sales.get(id);
    if (!registration) throw new Error(`There is no sale ${id}.`);
    return registration;
  };
  const entitle = (sale: Sale, { offer, quantity }: PurchasedItem) =>
    fake.entitlements.push({
      ...registrationOf(sale),
      dimension: offer,
      value: { IntegerValue: quantity },
      expiresAt: NOW.getTime() + 1000,
    });
  const remove = (sale: Sale) => {
    const { licenseArn } = registrationOf(sale);
    const kept = fake.entitlements.filter((entitlement) => entitlement.licenseArn !== licenseArn);
    fake.entitlements.splice(0, fake.entitlements.length, ...kept);
  };
  const end = (sale: Sale) => {
    remove(sale);
    fake.metering.unsubscribed.add(registrationOf(sale).licenseArn);
  };
  const event = (sale: Sale) =>
    fake.licenseEvent("License Updated - Manufacturer", registrationOf(sale), { eventId: `event-${sale.id}` });
  return {
    driver: createDriver(fake),
    sellsUnits: true,
    buy(item) {
      const id = `l-${++count}`;
      // All are bought by the same account, which may have several licenses of one product.
      const licenseArn = `arn:aws:license-manager::123456789012:license:${id}`;
      const registration = { productCode, accountId: "222233334444", licenseArn };
      sales.set(id, registration);
      const sale = { id, token: fake.register(registration) };
      entitle(sale, item);
      return sale;
    },
    expireToken: ({ token }) => fake.expire(token),
    change(sale, item) {
      remove(sale);
      entitle(sale, item);
    },
    end,
    suspension: null,
    notify: async (sale) => ({ body: event(sale).body, authorization: undefined }),
    async forge(sale) {
      const { body } = event(sale);
      return { body: { ...body, Timestamp: "2026-11-20T10:00:01.000Z" }, authorization: undefined };
    },
    throttle: (times) => fake.fail(...Array<string>(times).fill("ThrottlingException")),
    recover: fake.recover,
    metering: {
      now: () => NOW,
      dimension: "extra_usage",
      countUnits: (sale) =>
        fake.metering.records
          .filter(({ licenseArn }) => licenseArn === registrationOf(sale).licenseArn)
          .reduce((sum, { quantity }) => sum + quantity, 0),
      failToProcess: () => {
        fake.metering.unprocessed = 1;
      },
      loseAnswers: fake.loseAnswers,
    },
    close: fake.close,
  };
}

describeMarketplaceDriver("AWS", startAws);

describe("the AWS driver", () => {
  let fake: FakeAwsMarketplace;
  let driver: ReturnType<typeof createDriver>;
  beforeAll(async () => {
    fake = await startFakeAwsMarketplace({ now: () => NOW.getTime() });
    driver = createDriver(fake);
  });
  afterAll(() => fake.close());

  const read = (body: Record<string, unknown>) => driver.readNotification({ body, authorization: undefined }, NOW);
  const refusal = { code: "marketplace.notification_refused", status: 400 };

  test("leaves a purchase unconfirmed until AWS lists what the customer is entitled to", async () => {
    const customer = { productCode, accountId: "000000000001", licenseArn: "arn:aws:license-manager::1:license:l-a1" };
    const purchase = await driver.resolve(fake.register(customer));
    expect(purchase).toEqual({
      reference: `${productCode}/000000000001/l-a1`,
      customerId: "000000000001",
      items: [],
      state: "unconfirmed",
      awaits: null,
      usageId: "arn:aws:license-manager::1:license:l-a1",
    });
  });

  test("reads all pages of entitlements, and leaves out what has expired and what is not granted", async () => {
    const customer = { productCode, accountId: "000000000002" };
    const entitle = (
      dimension: string,
      value: { IntegerValue: number } | { BooleanValue: boolean },
      expiresAt?: number,
    ) => fake.entitlements.push({ ...customer, dimension, value, ...(expiresAt !== undefined && { expiresAt }) });
    entitle("expired", { IntegerValue: 1 }, NOW.getTime());
    entitle("none", { IntegerValue: 0 });
    entitle("refused", { BooleanValue: false });
    entitle("granted", { BooleanValue: true });
    entitle("units", { IntegerValue: 7 }, NOW.getTime() + 1000);
    expect((await driver.resolve(fake.register(customer)))?.items).toEqual([
      { offer: "granted", quantity: 1 },
      { offer: "units", quantity: 7 },
    ]);
  });

  test("refuses a token of another product of the seller", async () => {
    const token = fake.register({ productCode: "another", accountId: "000000000003" });
    await expect(driver.resolve(token)).rejects.toMatchObject({ code: "marketplace.unknown_product", status: 404 });
  });

  test("keeps tokens and keys out of what it logs", async () => {
    fake.fail(...Array<string>(3).fill("InternalServiceErrorException"));
    await expect(driver.resolve("token-of-a-buyer")).rejects.toMatchObject({ code: "marketplace.unavailable" });
    expect(logged.at(-1)).toEqual({
      aws: { name: "InternalServiceErrorException", status: 500, request_id: "request-1" },
    });
    expect(JSON.stringify(logged)).not.toContain("token-of-a-buyer");
  });

  test.each(["1", "2"] as const)(
    "takes messages of signature version %s, with and without a subject",
    async (version) => {
      const text = JSON.stringify({
        action: "entitlement-updated",
        "customer-identifier": "X01",
        "product-code": productCode,
      });
      for (const subject of [{}, { subject: "AWS" }]) {
        const { body } = fake.message({ topic, text, version, ...subject });
        const id = body.MessageId;
        expect(await read(body)).toEqual({ id, type: "entitlement-updated", reference: null, customerId: "X01" });
      }
    },
  );

  test.each([
    ["of another topic", () => fake.message({ topic: `${topic}2`, text: "{}" }).body],
    ["signed with another key", () => fake.message({ topic, text: "{}", key: OTHER_KEY }).body],
    ["whose text was changed", () => ({ ...fake.message({ topic, text: "{}" }).body, Message: "{ }" })],
    ["whose certificate is elsewhere", () => withCertificate("https://sns.us-east-1.amazonaws.com.example.com/a.pem")],
    ["whose certificate is not fetched by HTTPS", () => withCertificate("http://sns.us-east-1.amazonaws.com/a.pem")],
    ["whose certificate is at another port", () => withCertificate("https://sns.us-east-1.amazonaws.com:444/a.pem")],
    ["with credentials before the host", () => withCertificate("https://sns.us-east-1.amazonaws.com@evil.test/a.pem")],
    ["that is no message", () => ({ Type: "Notification" })],
  ])("refuses a message %s", async (_what, build) => {
    await expect(read(build())).rejects.toMatchObject(refusal);
  });
  const withCertificate = (SigningCertURL: string) => ({ ...fake.message({ topic, text: "{}" }).body, SigningCertURL });

  test("confirms the subscription to one of its topics, and nothing at other addresses", async () => {
    const type = "SubscriptionConfirmation";
    expect(await read(fake.message({ topic, text: "You have chosen to subscribe", type }).body)).toBeNull();
    expect(fake.confirmed).toEqual(["confirm-me"]);
    const elsewhere = fake.message({ topic, text: "x", type, subscribeUrl: "https://evil.test/?Token=x" }).body;
    await expect(read(elsewhere)).rejects.toMatchObject(refusal);
    await expect(read(fake.message({ topic: `${topic}2`, text: "x", type }).body)).rejects.toMatchObject(refusal);
    expect(fake.confirmed).toHaveLength(1);
  });

  test.each([
    [
      "about another product",
      { action: "entitlement-updated", "customer-identifier": "X01", "product-code": "another" },
    ],
    ["that is not of a license", { source: "aws.agreement-marketplace", "detail-type": "Offer Released", id: "1" }],
    ["that is no object", "hello"],
  ])("ignores an event %s", async (_what, event) => {
    expect(await read(fake.message({ topic, text: JSON.stringify(event) }).body)).toBeNull();
  });

  const USED_AT = new Date(NOW.getTime() - 60_000);
  const report = (more: Partial<UsageReport> = {}): UsageReport => ({
    id: "usage-1",
    reference: `${productCode}/000000000009`,
    usageId: `${productCode}/000000000009`,
    offer: "feather_max",
    dimension: "extra_usage",
    units: 5,
    startedAt: USED_AT,
    endedAt: USED_AT,
    ...more,
  });

  test("reports usage of old products by product and account, and of the others by license", async () => {
    fake.metering.dimensions.add("extra_usage");
    const licenseArn = "arn:aws:license-manager::1:license:l-a9";
    const licensed = report({ id: "usage-2", reference: `${productCode}/000000000009/l-a9`, usageId: licenseArn });
    expect(await driver.meter([report(), licensed])).toEqual([{ status: "accepted" }, { status: "accepted" }]);
    expect(fake.metering.records).toMatchObject([
      { productCode, accountId: "000000000009", licenseArn: undefined, quantity: 5 },
      { productCode: undefined, accountId: "000000000009", licenseArn, quantity: 5 },
    ]);
  });

  test("says that another quantity was reported for an hour before", async () => {
    const [outcome] = await driver.meter([report({ id: "usage-3", units: 6 })]);
    expect(outcome).toEqual({ status: "refused", reason: expect.stringContaining("another quantity") });
  });

  test.each([
    ["2026-11-19T10:00:01Z", "2026-11-20T10:00:00Z", false],
    ["2026-11-19T10:00:00Z", "2026-11-20T10:00:00Z", true],
    ["2026-10-31T23:30:00Z", "2026-11-01T05:59:59Z", false],
    ["2026-10-31T23:30:00Z", "2026-11-01T06:00:00Z", true],
  ])("usage of %s is too late at %s: %s", (startedAt, now, expected) => {
    expect(driver.isTooLate({ startedAt: new Date(startedAt) }, new Date(now))).toBe(expected);
  });
});
