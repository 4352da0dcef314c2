import { readFileSync } from "node:fs";
import { type FakeStripe, STRIPE_KEYS, startFakeStripe } from "@feather/testing/fake-stripe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStripeClient } from "./stripe-client.ts";
import { checkStripeConnection } from "./stripe-connection.ts";
import { WEBHOOK_EVENTS } from "./stripe-webhooks.ts";

const PUBLIC_URL = "https://feather.example.com";
const WEBHOOK_URL = `${PUBLIC_URL}/api/payments/stripe/webhook`;

let fake: FakeStripe;
beforeEach(async () => {
  fake = await startFakeStripe();
  addEndpoint();
});
afterEach(() => fake.close());

const check = (secretKey: string = STRIPE_KEYS.secretKey) =>
  checkStripeConnection({
    getStripe: createStripeClient({ secretKey, apiBase: fake.url }),
    isTest: true,
    returnUrl: `${PUBLIC_URL}/account`,
    publicUrl: PUBLIC_URL,
    calculatesTaxes: false,
    log: { error: () => {} },
  });

function addEndpoint(change: { url?: string; enabled_events?: string[]; status?: "disabled" } = {}): void {
  fake.store.webhookEndpoints.set("we_1", {
    ...{ id: "we_1", object: "webhook_endpoint", url: WEBHOOK_URL, enabled_events: [...WEBHOOK_EVENTS] },
    ...{ status: "enabled", metadata: {}, livemode: false, created: 0 },
    ...change,
  });
}

test("a connection that is complete has account, webhook and all permissions, and no problems", async () => {
  const connection = await check();
  expect(connection).toMatchObject({
    driver: "stripe",
    isTest: true,
    account: { id: "acct_standin", name: "Plume" },
    webhook: { state: "registered", url: WEBHOOK_URL, missingEvents: [] },
    problems: [],
  });
  expect(connection.permissions.map(({ state }) => state)).toEqual(Array.from({ length: 7 }, () => "granted"));
});

test("a check changes nothing at Stripe", async () => {
  const { customers, refunds, events } = fake.store;
  await check();
  expect([customers.size, refunds.size, events.length]).toEqual([0, 0, 0]);
});

test.each(["Customers", "Setup Intents", "Payment Intents", "Payment Methods", "Refunds", "Charges", "Disputes"])(
  "a key without the permission for %s lacks this one alone",
  async (name) => {
    fake.store.lackingPermissions.add(name);
    const { permissions, problems } = await check();
    expect(permissions.filter(({ state }) => state === "missing").map((one) => one.name)).toEqual([name]);
    expect(problems).toEqual([expect.stringContaining(`for ${name} at Stripe`)]);
  },
);

test.each([
  [{ url: "https://other.example.com/api/payments/stripe/webhook" }, "missing", WEBHOOK_URL],
  [{ status: "disabled" as const }, "disabled", "enable it"],
  [{ enabled_events: ["refund.failed"] }, "incomplete", "add payment_intent.succeeded"],
])("an endpoint with %j is %s, and the problem says what to do", async (change, state, problem) => {
  addEndpoint(change);
  const { webhook, problems } = await check();
  expect([webhook?.state, problems]).toEqual([state, [expect.stringContaining(problem)]]);
});

test("an endpoint for all events is complete", async () => {
  addEndpoint({ enabled_events: ["*"] });
  expect((await check()).webhook?.state).toBe("registered");
});

test("what a key may not read is unknown, and not needed for payments", async () => {
  fake.store.lackingPermissions.add("Webhook Endpoints").add("Account");
  const { account, webhook, problems } = await check();
  expect([account, webhook?.state]).toEqual([null, "unknown"]);
  expect(problems).toEqual([expect.stringContaining("give the key read for Webhook Endpoints")]);
});

test("a key that Stripe refuses is one problem", async () => {
  const { permissions, problems } = await check("sk_test_revoked");
  expect(new Set(permissions.map(({ state }) => state))).toEqual(new Set(["unknown"]));
  expect(problems).toEqual([expect.stringContaining("Stripe refuses STRIPE_SECRET_KEY")]);
});

test("what Stripe does not answer about is unknown, and the rest is reported", async () => {
  fake.fail(/POST \/v1\/refunds\//, { status: 500 });
  const { permissions, problems } = await check();
  expect(permissions.filter(({ state }) => state !== "granted")).toEqual([
    { name: "Refunds", access: "write", state: "unknown" },
  ]);
  expect(problems).toEqual([expect.stringContaining("did not answer about write for Refunds")]);
});

test("webhooks that Stripe does not answer about are unknown", async () => {
  fake.fail(/webhook_endpoints/, { status: 503 });
  const { webhook, problems } = await check();
  expect(webhook?.state).toBe("unknown");
  expect(problems).toEqual(["Stripe did not answer about webhook endpoints. Check again later."]);
});

test("the documentation lists the events and the permissions that are checked", async () => {
  const page = readFileSync(new URL("../../../../../web/content/docs/payments.md", import.meta.url), "utf8");
  for (const event of WEBHOOK_EVENTS) expect(page).toContain(`\`${event}\``);
  for (const { name } of (await check()).permissions) expect(page).toContain(name);
});
