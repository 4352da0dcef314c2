import { generateKeyPairSync } from "node:crypto";
import { type FakeGcpMarketplace, GCP_SELLER, startFakeGcpMarketplace } from "@feather/testing/fake-gcp-marketplace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccessTokens } from "../../../gateway/index.ts";
import { createOutgoing } from "../../../platform/core/network/outgoing.ts";
import { describeMarketplaceDriver, type MarketplaceUnderTest } from "../testing/marketplace-driver-behaviors.ts";
import { createGcpClient, toGoogleFetch } from "./gcp-client.ts";
import { createGcpDriver } from "./gcp-driver.ts";
import { createGcpTokens } from "./gcp-tokens.ts";

const AUDIENCE = "https://feather.example/api/cloud-marketplace/gcp/notifications";
const METRIC = `${GCP_SELLER.product}/extra_usage`;
const DAY_MS = 86_400_000;
const logged: object[] = [];

function createDriver(fake: FakeGcpMarketplace, now = () => new Date()) {
  const { providerId, serviceAccountKey, domain, pushAccount, product } = GCP_SELLER;
  const fetch = toGoogleFetch(createOutgoing({ allow: ["127.0.0.1"] }).fetch, fake.url);
  const log = { error: (fields: object) => void logged.push(fields) };
  const connection = { providerId, serviceAccountKey, accessTokens: createAccessTokens(fetch), fetch };
  return createGcpDriver({
    client: createGcpClient({ ...connection, provider: "gcp", wait: async () => {}, log }),
    tokens: createGcpTokens({ fetch, serviceAccountKey, domain, pushAccount, pushAudience: AUDIENCE }),
    providerId,
    products: [product],
    clock: { now },
  });
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const OTHER_KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

async function startGcp(): Promise<MarketplaceUnderTest> {
  const fake = await startFakeGcpMarketplace();
  fake.usage.metrics.add(METRIC);
  const driver = createDriver(fake);
  const push = (id: string, eventType: string, options: object) =>
    fake.push({ eventType, entitlement: { id } }, AUDIENCE, options);
  const toReceived = ({ headers, body }: ReturnType<typeof push>) => ({ body, ...headers });
  const expired = new Set<string>();
  return {
    driver: {
      ...driver,
      // An expired token of Google's is one whose time is over; the stand-in signs it anew.
      exchangeToken: async (token) =>
        driver.exchangeToken?.(expired.has(token) ? fake.buyerToken("E-1", { iat: 1, exp: 300 }) : token) ?? null,
    },
    sellsUnits: false,
    buy({ offer }) {
      const { id, token } = fake.buy(offer);
      return { id, token };
    },
    expireToken: ({ token }) => void expired.add(token),
    change: ({ id }, { offer }) => fake.requestChange(id, offer),
    end: ({ id }) => fake.setState(id, "ENTITLEMENT_CANCELLED"),
    suspension: {
      suspend: ({ id }) => fake.setState(id, "ENTITLEMENT_SUSPENDED"),
      resume: ({ id }) => fake.setState(id, "ENTITLEMENT_ACTIVE"),
    },
    notify: async ({ id }) => toReceived(push(id, "ENTITLEMENT_ACTIVE", { id: `event-of-${id}` })),
    forge: async ({ id }) => toReceived(push(id, "ENTITLEMENT_CANCELLED", { key: OTHER_KEY })),
    throttle: (times) => fake.fail(/./, ...Array<number>(times).fill(429)),
    recover: fake.recover,
    metering: {
      now: () => new Date(),
      dimension: METRIC,
      countUnits: ({ id }) =>
        fake.usage.operations
          .filter(({ consumerId }) => consumerId === fake.store.entitlements.get(id)?.usageReportingId)
          .reduce((sum, { value }) => sum + value, 0),
      failToProcess: () => {
        fake.usage.unprocessed = 1;
      },
      loseAnswers: fake.loseAnswers,
    },
    close: fake.close,
  };
}

describeMarketplaceDriver("Google Cloud", startGcp);

describe("the Google Cloud driver", () => {
  let fake: FakeGcpMarketplace;
  let driver: ReturnType<typeof createDriver>;
  beforeAll(async () => {
    fake = await startFakeGcpMarketplace();
    driver = createDriver(fake);
  });
  afterAll(() => fake.close());

  const exchange = async (token: string) => (await driver.exchangeToken?.(token)) ?? "";

  test("approves the account of a new customer before the purchase, and does not bill before", async () => {
    const { account, entitlement, token, id, accountId } = fake.buy("feather_max");
    const purchase = await driver.resolve(await exchange(token));
    expect(purchase).toEqual({
      reference: id,
      customerId: accountId,
      items: [{ offer: "feather_max", quantity: 1 }],
      state: "unconfirmed",
      awaits: "activation",
      usageId: `${GCP_SELLER.product}/${entitlement.usageReportingId}`,
    });
    expect([account.approvals[0]?.state, entitlement.state]).toEqual(["PENDING", "ENTITLEMENT_ACTIVATION_REQUESTED"]);
    if (purchase) await driver.confirm(purchase);
    expect([account.approvals[0]?.state, entitlement.state]).toEqual(["APPROVED", "ENTITLEMENT_ACTIVE"]);
  });

  test("takes the purchase that waits, of all pages, when a customer has several", async () => {
    const { accountId, token } = fake.buy("feather_scale");
    for (const entitlement of fake.store.entitlements.values())
      if (entitlement.account.endsWith(`/${accountId}`)) entitlement.state = "ENTITLEMENT_ACTIVE";
    const { id } = fake.buy("feather_max", { accountId });
    fake.setState(fake.buy("feather_basic", { accountId }).id, "ENTITLEMENT_CANCELLED");
    expect(await driver.resolve(await exchange(token))).toMatchObject({ reference: id });
  });

  test("refuses a purchase of another product of the seller", async () => {
    const { token } = fake.buy("feather_max", { product: "another" });
    await expect(exchange(token).then(driver.resolve)).rejects.toMatchObject({ code: "marketplace.unknown_product" });
  });

  test("gives buyers a day for the purchase, though Google's token is valid for five minutes", async () => {
    const start = Date.now();
    let now = start;
    const later = createDriver(fake, () => new Date(now));
    const { token, accountId } = fake.buy("feather_max");
    const issued = (await later.exchangeToken?.(token)) ?? "";
    now = start + DAY_MS - 60_000;
    expect(await later.exchangeToken?.(token)).toBeNull();
    expect(await later.resolve(issued)).toMatchObject({ customerId: accountId });
    now = start + DAY_MS + 60_000;
    expect(await later.resolve(issued)).toBeNull();
  });

  test.each([
    ["for another domain", { aud: "evil.example" }, undefined],
    ["of another issuer", { iss: "https://accounts.google.com" }, undefined],
    ["that has expired", { iat: 1, exp: 300 }, undefined],
    ["signed with another key", {}, OTHER_KEY],
  ])("takes no buyer with a token %s", async (_what, claims, key) => {
    expect(await driver.exchangeToken?.(fake.buyerToken("E-1", claims, key))).toBeNull();
  });

  test("looks for unknown keys of Google once a minute", async () => {
    const start = Date.now();
    let now = start;
    const fresh = createDriver(fake, () => new Date(now));
    const count = () => fake.requests.filter(({ url }) => url.includes("/robot/v1/")).length;
    const unknownKey = fake.buyerToken("E-1").replace(/^[^.]+/, btoa('{"alg":"RS256","kid":"other"}'));
    const before = count();
    for (let time = 0; time < 3; time++) expect(await fresh.exchangeToken?.(unknownKey)).toBeNull();
    expect(count()).toBe(before + 1);
    now = start + 61_000;
    await fresh.exchangeToken?.(unknownKey);
    expect(count()).toBe(before + 2);
  });

  test("takes no token of Google's where a buyer brings back ours", async () => {
    expect(await driver.resolve(fake.buy("feather_max").token)).toBeNull();
  });

  test("keeps a purchase active until the end of what is paid, when its customer cancels it", async () => {
    const { id } = fake.buy("feather_max");
    fake.setState(id, "ENTITLEMENT_PENDING_CANCELLATION");
    expect(await driver.find(id)).toMatchObject({ state: "active", awaits: null });
  });

  test("rejects a purchase with the reason", async () => {
    const { id, entitlement } = fake.buy("feather_max");
    await driver.reject?.(id, "Not signed");
    expect(entitlement).toMatchObject({ state: "ENTITLEMENT_CANCELLED", reason: "Not signed" });
  });

  const read = ({ headers, body }: ReturnType<typeof fake.push>) =>
    driver.readNotification({ body, ...headers }, new Date());
  const event = { eventType: "ENTITLEMENT_CANCELLED", entitlement: { id: "e-1" } };
  test.each([
    ["for another address", { claims: { aud: "https://other.example" } }],
    ["of another account", { claims: { email: "other@example.com" } }],
    ["whose account is not verified", { claims: { email_verified: false } }],
    ["of another issuer", { claims: { iss: "https://evil.example" } }],
    ["that has expired", { claims: { exp: 300 } }],
  ])("refuses a push with a token %s", async (_what, options) => {
    const refusal = { code: "marketplace.notification_refused", status: 400 };
    await expect(read(fake.push(event, AUDIENCE, options))).rejects.toMatchObject(refusal);
  });

  test("reads events of accounts by their customer, and ignores those of other sellers", async () => {
    const ofAccount = fake.push({ eventType: "ACCOUNT_DELETED", account: { id: "E-9" } }, AUDIENCE, { id: "event-9" });
    const expected = { id: "event-9", type: "ACCOUNT_DELETED", reference: null, customerId: "E-9" };
    expect(await read(ofAccount)).toEqual(expected);
    expect(await read(fake.push({ ...event, providerId: "another" }, AUDIENCE))).toBeNull();
  });
});
