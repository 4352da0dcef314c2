import { readFileSync } from "node:fs";
import { type FakeStripe, STRIPE_KEYS, startFakeStripe } from "@feather/testing/fake-stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createStripeClient } from "./stripe-client.ts";
import { checkStripeConnection } from "./stripe-connection.ts";
import { PORTAL_EVENTS, WEBHOOK_EVENTS } from "./stripe-webhooks.ts";

const PUBLIC_URL = "https://feather.example.com";
const WEBHOOK_URL = `${PUBLIC_URL}/api/payments/stripe/webhook`;

let fake: FakeStripe;
beforeEach(async () => {
  fake = await startFakeStripe();
  addEndpoint();
});
afterEach(() => fake.close());

type Portal = Parameters<typeof checkStripeConnection>[0]["portal"];
const check = (secretKey: string = STRIPE_KEYS.secretKey, portal: Portal = null) =>
  checkStripeConnection({
    getStripe: createStripeClient({ secretKey, apiBase: fake.url }),
    isTest: true,
    returnUrl: `${PUBLIC_URL}/account`,
    publicUrl: PUBLIC_URL,
    calculatesTaxes: false,
    portal,
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

describe("with the customer portal", () => {
  const checkPortal = (configuration?: string) => check(STRIPE_KEYS.secretKey, { configuration });
  beforeEach(() => addEndpoint({ enabled_events: [...WEBHOOK_EVENTS, ...PORTAL_EVENTS] }));

  test("a portal that is set up has its permission, and no problems", async () => {
    fake.savePortal();
    const { permissions, problems } = await checkPortal();
    expect(permissions.at(-1)).toEqual({ name: "Customer portal", access: "write", state: "granted" });
    expect(problems).toEqual([]);
  });

  test("an endpoint without the events of cards and customers is incomplete", async () => {
    fake.savePortal();
    addEndpoint();
    expect((await checkPortal()).webhook).toMatchObject({ state: "incomplete", missingEvents: [...PORTAL_EVENTS] });
  });

  test.each([
    ["was not saved at Stripe", () => {}, undefined, "is not set up: save its settings"],
    [
      "has another configuration than the named one",
      () => fake.savePortal(),
      "bpc_other",
      "no active configuration bpc_other",
    ],
    ["takes VAT ids", () => fake.savePortal(["address", "tax_id"]), undefined, "takes tax_id, which is not used"],
    ["does not answer", () => fake.fail(/GET .*configurations/, { status: 500 }), undefined, "did not answer about"],
    [
      "may not be used by the key",
      () => fake.store.lackingPermissions.add("Customer portal"),
      undefined,
      "write for Customer portal",
    ],
  ])("a portal that %s is one problem, which says what to do", async (_, arrange, configuration, problem) => {
    arrange();
    expect((await checkPortal(configuration)).problems).toEqual([expect.stringContaining(problem)]);
  });

  test("a portal in which no card can be changed is a problem", async () => {
    fake.savePortal();
    for (const { features } of fake.store.portalConfigurations.values()) features.payment_method_update.enabled = false;
    expect((await checkPortal("bpc_1")).problems).toEqual([expect.stringContaining("Cards cannot be changed")]);
  });
});

test("the documentation lists the events and the permissions that are checked", async () => {
  const page = readFileSync(new URL("../../../../../web/content/docs/payments.md", import.meta.url), "utf8");
  for (const event of [...WEBHOOK_EVENTS, ...PORTAL_EVENTS]) expect(page).toContain(`\`${event}\``);
  for (const { name } of (await check(STRIPE_KEYS.secretKey, { configuration: undefined })).permissions)
    expect(page).toContain(name);
});
