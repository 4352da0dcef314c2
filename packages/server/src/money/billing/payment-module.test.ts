import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../testing/billing.ts";
import { writeExampleDriver } from "../payment-services/module/testing/example-driver.ts";
import { BANK_CARDS, BANK_KEY, startFakeExampleBank } from "../payment-services/module/testing/fake-example-bank.ts";

const WEBHOOK = "/api/payments/webhook";
const PLAN = { plan_id: "feather_pro_plus" };

let bank: Awaited<ReturnType<typeof startFakeExampleBank>>;
let driver: Awaited<ReturnType<typeof writeExampleDriver>>;
let server: BillingServer;
beforeAll(async () => {
  bank = await startFakeExampleBank();
  driver = await writeExampleDriver();
  Object.assign(process.env, { EXAMPLE_BANK_URL: bank.url, EXAMPLE_BANK_KEY: BANK_KEY });
  server = await createBillingServer("2026-01-31T10:00:00Z", {
    FEATHER_PAYMENTS: "module",
    FEATHER_PAYMENT_MODULE: driver.path,
  });
});
afterAll(async () => {
  await server.close();
  await bank.close();
  await driver.remove();
});

async function beginSetup(who: Buyer) {
  const { body } = await server.post(who, "/api/payment-methods/setup-intent");
  return body as { id: string; client_secret: string | null; url: string | null };
}
const sendWebhook = (body: string, signature: string) =>
  fetch(`${server.url}${WEBHOOK}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-bank-signature": signature },
    body,
  });

test("a card is entered on the page of the payment service, and pays for a plan", async () => {
  const who = await server.createBuyer(null);
  const { id, client_secret, url } = await beginSetup(who);
  expect([client_secret, url]).toEqual([null, `https://bank.example.com/setups/${id}`]);
  expect(bank.enterCard(id, BANK_CARDS.works)).toMatch(/\/account\/payment-method-added$/);
  const confirmed = await server.post(who, `/api/payment-methods/setup-intent/${id}`);
  expect(confirmed.body).toMatchObject({ brand: "visa", last4: "4242", is_default: true, is_test: false });
  expect((await server.change(who, PLAN)).status).toBe(200);
  expect(await server.invoices(who)).toMatchObject([{ status: "paid", total_cents: 2500 }]);
  expect([...bank.bank.payments.values()].at(-1)).toMatchObject({ status: "paid", amount: 2500, currency: "USD" });
});

test("a webhook of the service is refused at the path of Stripe, and one of Stripe at its own", async () => {
  const who = await server.createBuyer(null);
  const { id } = await beginSetup(who);
  bank.enterCard(id, BANK_CARDS.works);
  const { body, signature } = bank.webhookOf("setup", id, server.clock.at);
  const headers = { "x-bank-signature": signature };
  const atStripes = await server.call("/api/payments/stripe/webhook", { body, headers });
  expect([atStripes.status, errorCode(atStripes.body)]).toEqual([409, "payments.off"]);
  expect(await server.read(who, "/api/payment-methods")).toEqual({ items: [] });
  const unsigned = await server.call(WEBHOOK, { body, headers: { "stripe-signature": "t=1,v1=00" } });
  expect([unsigned.status, errorCode(unsigned.body)]).toEqual([400, "payments.webhook_refused"]);
});

test("a webhook of the service adds the card of a buyer who does not come back", async () => {
  const who = await server.createBuyer(null);
  const { id } = await beginSetup(who);
  bank.enterCard(id, BANK_CARDS.works);
  const { body, signature } = bank.webhookOf("setup", id, server.clock.at);
  const response = await sendWebhook(body, signature);
  expect([response.status, await response.text()]).toEqual([204, ""]);
  expect(await server.read(who, "/api/payment-methods")).toMatchObject({ items: [{ last4: "4242" }] });
});

test("a webhook that the driver does not accept is refused and changes nothing", async () => {
  const who = await server.createBuyer(null);
  const { id } = await beginSetup(who);
  bank.enterCard(id, BANK_CARDS.works);
  const { body } = bank.webhookOf("setup", id, server.clock.at);
  const refused = await sendWebhook(body, "00");
  expect([refused.status, errorCode(await refused.json())]).toEqual([400, "payments.webhook_refused"]);
  expect(await server.read(who, "/api/payment-methods")).toMatchObject({ items: [] });
});

test("nothing is paid while the service does not answer, and the payment is charged once afterwards", async () => {
  const who = await server.createBuyer(null);
  const { id } = await beginSetup(who);
  bank.enterCard(id, BANK_CARDS.works);
  await server.post(who, `/api/payment-methods/setup-intent/${id}`);
  const before = bank.bank.payments.size;
  bank.bank.isDown = true;
  const answer = await server.change(who, PLAN);
  expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.pending"]);
  bank.bank.isDown = false;
  server.clock.at += 120_000;
  await server.runJobs();
  expect(await server.invoices(who)).toMatchObject([{ status: "paid", total_cents: 2500 }]);
  expect(bank.bank.payments.size).toBe(before + 1);
});

test("checkout and portal lead to the pages of the site", async () => {
  const who = await server.createBuyer(null);
  const portal = await server.post(who, "/api/subscription/customer-portal");
  expect(portal.body).toMatchObject({ url: expect.stringMatching(/\/account\/payment-methods$/) });
});

test("admins see the name of the driver, and the site that another service takes the cards", async () => {
  const { token } = await server.signInAdmin();
  expect((await server.call("/api/admin/payments/check", { token })).body).toMatchObject({
    driver: "example-bank",
    is_test: false,
    problems: [],
  });
  expect((await server.call("/api/config", {})).body).toMatchObject({
    payments: "module",
    stripe_publishable_key: null,
  });
});

test.each([
  [{ FEATHER_PAYMENTS: "module" }, "FEATHER_PAYMENTS: module needs FEATHER_PAYMENT_MODULE"],
  [
    { FEATHER_PAYMENTS: "test", FEATHER_PAYMENT_MODULE: "bank" },
    "FEATHER_PAYMENT_MODULE: is for FEATHER_PAYMENTS=module only",
  ],
  [{ FEATHER_PAYMENTS: "module", FEATHER_PAYMENT_MODULE: "../bank.mjs" }, "must be an absolute path"],
])("a server does not start with the settings %j", async (env, problem) => {
  await expect(createBillingServer("2026-01-01T00:00:00Z", env)).rejects.toThrow(problem);
});
