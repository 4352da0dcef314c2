import { generateKeyPairSync } from "node:crypto";
import {
  AZURE_SELLER,
  type FakeAzureMarketplace,
  startFakeAzureMarketplace,
} from "@feather/testing/fake-azure-marketplace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOutgoing } from "../../../platform/core/network/outgoing.ts";
import { describeMarketplaceDriver, type MarketplaceUnderTest } from "../testing/marketplace-driver-behaviors.ts";
import { createAzureClient } from "./azure-client.ts";
import { createAzureDriver } from "./azure-driver.ts";
import { createAzureWebhooks } from "./azure-webhooks.ts";

const logged: object[] = [];

function createDriver(fake: FakeAzureMarketplace, clientSecret: string = AZURE_SELLER.clientSecret) {
  const connection = {
    ...AZURE_SELLER,
    clientSecret,
    fetch: createOutgoing({ allow: ["127.0.0.1"] }).fetch,
    apiBase: fake.url,
  };
  const log = { error: (fields: object) => void logged.push(fields) };
  const clock = { now: () => new Date() };
  return createAzureDriver({
    client: createAzureClient({ ...connection, provider: "azure", clock, wait: async () => {}, log }),
    verifyCaller: createAzureWebhooks(connection),
    offers: [AZURE_SELLER.offerId],
  });
}

async function startAzure(): Promise<MarketplaceUnderTest> {
  const fake = await startFakeAzureMarketplace();
  fake.metering.dimensions.add("extra_usage");
  const toReceived = ({ headers, body }: ReturnType<typeof fake.webhook>) => ({ body, ...headers });
  return {
    driver: createDriver(fake),
    sellsUnits: true,
    buy({ offer, quantity }) {
      const { subscription, token } = fake.buy(offer, quantity);
      return { id: subscription.id, token };
    },
    expireToken: ({ token }) => fake.expire(token),
    change: ({ id }, { offer, quantity }) => void fake.requestChange(id, offer, quantity),
    end: ({ id }) => fake.setStatus(id, "Unsubscribed"),
    suspension: {
      suspend: ({ id }) => fake.setStatus(id, "Suspended"),
      resume: ({ id }) => fake.setStatus(id, "Subscribed"),
    },
    notify: async ({ id }) => toReceived(fake.webhook(id, "Renew", { id: `operation-${id}` })),
    forge: async ({ id }) => toReceived(fake.webhook(id, "Unsubscribe", { claims: { appid: "another" } })),
    throttle: (times) => fake.fail(/./, ...Array<number>(times).fill(429)),
    recover: fake.recover,
    metering: {
      now: () => new Date(),
      dimension: "extra_usage",
      countUnits: ({ id }) =>
        fake.metering.events
          .filter(({ resourceId }) => resourceId === id)
          .reduce((sum, { quantity }) => sum + quantity, 0),
      failToProcess: () => {
        fake.metering.unprocessed = 1;
      },
      loseAnswers: fake.loseAnswers,
    },
    close: fake.close,
  };
}

describeMarketplaceDriver("Azure", startAzure);

describe("the Azure driver", () => {
  let fake: FakeAzureMarketplace;
  let driver: ReturnType<typeof createDriver>;
  beforeAll(async () => {
    fake = await startFakeAzureMarketplace();
    driver = createDriver(fake);
  });
  afterAll(() => fake.close());

  const read = (webhook: ReturnType<typeof fake.webhook>) =>
    driver.readNotification({ body: webhook.body, ...webhook.headers }, new Date());
  const refusal = { code: "marketplace.notification_refused", status: 400 };

  test("does not bill a customer before the purchase is confirmed", async () => {
    const { token, subscription } = fake.buy("feather_max", null);
    const purchase = await driver.resolve(token);
    expect(purchase).toEqual({
      reference: subscription.id,
      customerId: subscription.purchaser.tenantId,
      items: [{ offer: "feather_max", quantity: 1 }],
      state: "unconfirmed",
      awaits: "activation",
      usageId: subscription.id,
    });
    expect(subscription.saasSubscriptionStatus).toBe("PendingFulfillmentStart");
    if (purchase) await driver.confirm(purchase);
    expect(subscription.saasSubscriptionStatus).toBe("Subscribed");
  });

  test("refuses a token of another offer of the seller", async () => {
    const { token } = fake.buy("feather_max", null, "another-offer");
    await expect(driver.resolve(token)).rejects.toMatchObject({ code: "marketplace.unknown_product" });
  });

  test("rejects a purchase before it begins", async () => {
    const { subscription } = fake.buy("feather_max", null);
    await driver.reject?.(subscription.id, "Not signed");
    expect(await driver.find(subscription.id)).toMatchObject({ state: "ended" });
  });

  test("fetches an access token once, and another one when it is refused", async () => {
    const { subscription } = fake.buy("feather_max", null);
    const countTokens = () => fake.requests.filter(({ url }) => url.endsWith("/oauth2/v2.0/token")).length;
    await driver.find(subscription.id);
    const before = countTokens();
    await driver.find(subscription.id);
    expect(countTokens()).toBe(before);
    fake.revokeTokens();
    await expect(driver.find(subscription.id)).rejects.toMatchObject({ code: "marketplace.unavailable" });
    expect(await driver.find(subscription.id)).toMatchObject({ state: "unconfirmed" });
    expect(countTokens()).toBe(before + 1);
  });

  test("keeps tokens and secrets out of what it logs", async () => {
    const wrong = createDriver(fake, "hush~hush");
    await expect(wrong.resolve("token-of-a-buyer")).rejects.toMatchObject({ code: "marketplace.unavailable" });
    expect(logged.at(-1)).toEqual({ marketplace: { status: 401 } });
    expect(JSON.stringify(logged)).not.toMatch(/hush|token-of-a-buyer/);
  });

  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const otherKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const seconds = Math.floor(Date.now() / 1000);
  test.each([
    ["for another application", { claims: { aud: "another" } }],
    ["of another tenant", { claims: { iss: "https://sts.windows.net/another/" } }],
    ["that has expired", { claims: { exp: seconds - 3600 } }],
    ["given to another caller", { claims: { appid: undefined, azp: "another" } }],
    ["signed with another key", { key: otherKey }],
  ])("refuses a webhook with a token %s", async (_what, options) => {
    await expect(read(fake.webhook("s", "Unsubscribe", options))).rejects.toMatchObject(refusal);
  });

  test("refuses a webhook without a token, and one that is none", async () => {
    const { body, headers } = fake.webhook("s", "Unsubscribe");
    const withoutToken = driver.readNotification({ body, authorization: undefined }, new Date());
    await expect(withoutToken).rejects.toMatchObject(refusal);
    await expect(driver.readNotification({ body: {}, ...headers }, new Date())).rejects.toMatchObject(refusal);
  });

  test("takes tokens of the second version of Microsoft Entra", async () => {
    const claims = {
      iss: `https://login.microsoftonline.com/${AZURE_SELLER.tenantId}/v2.0`,
      appid: undefined,
      azp: "20e940b3-4c77-4b0b-9a53-9e16a1b010a7",
    };
    const notification = await read(fake.webhook("sub-1", "Suspend", { id: "op-1", claims }));
    expect(notification).toEqual({ id: "op-1", type: "Suspend", reference: "sub-1", customerId: null });
  });

  test("says that another quantity was reported for an hour before", async () => {
    fake.metering.dimensions.add("extra_usage");
    const { subscription } = fake.buy("feather_max", null);
    fake.setStatus(subscription.id, "Subscribed");
    const usedAt = new Date(Date.now() - 60_000);
    const report = {
      ...{ id: "usage-1", reference: subscription.id, usageId: subscription.id, offer: "feather_max" },
      ...{ dimension: "extra_usage", units: 5, startedAt: usedAt, endedAt: usedAt },
    };
    expect(await driver.meter([report])).toEqual([{ status: "accepted" }]);
    const [outcome] = await driver.meter([{ ...report, units: 6 }]);
    expect(outcome).toEqual({ status: "refused", reason: expect.stringContaining("another quantity") });
  });

  test("usage is too late for Azure after 24 hours", () => {
    const startedAt = new Date("2026-11-19T10:00:00Z");
    const isTooLate = (now: string) => driver.isTooLate({ startedAt }, new Date(now));
    expect([isTooLate("2026-11-20T09:59:59Z"), isTooLate("2026-11-20T10:00:00Z")]).toEqual([false, true]);
  });
});
