import { errorCode } from "@feather/testing/errors";
import { STRIPE_KEYS } from "@feather/testing/fake-stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type Buyer, createBillingServer } from "../../testing/billing.ts";
import { createStripeServer, type StripeServer } from "../../testing/stripe.ts";
import { createTaxReports } from "../taxes/tax-reports.ts";

const PLAN = { plan_id: "feather_pro_plus" };
const US = { country: "US", postal_code: "94080", city: "South San Francisco", address: "354 Oyster Point Blvd" };
const DE = { country: "DE", postal_code: "10115", city: "Berlin", address: "Weg 3" };
const CALCULATE = /^POST \/v1\/tax\/calculations$/;
const REPORT = /^POST \/v1\/tax\/transactions/;

let server: StripeServer;
beforeAll(async () => {
  server = await createStripeServer({ FEATHER_TAX: "stripe", STRIPE_TAX_CODE: "txcd_10103001" });
});
afterAll(async () => {
  server.fake.recover();
  await server.verifyBooks();
  await server.close();
});

async function createBuyer(details: object | null): Promise<Buyer> {
  const who = await server.createBuyer();
  if (details) {
    const saved = await server.call("/api/organization/billing-details", {
      method: "PUT",
      token: who.key,
      body: details,
    });
    expect(saved.status).toBe(200);
  }
  return who;
}
const buy = async (who: Buyer) => expect((await server.change(who, PLAN)).status).toBe(200);
const countCalculations = () =>
  server.fake.requests.filter(({ method, url }) => CALCULATE.test(`${method} ${url}`)).length;
const latestInvoice = async (who: Buyer) => {
  const [invoice] = await server.invoices(who);
  if (!invoice) throw new Error("There is no invoice.");
  return invoice;
};
async function refund(id: string, amount_cents: number | null) {
  const { token } = await server.signInAdmin();
  const answer = await server.call(`/api/admin/invoices/${id}/refund`, {
    method: "POST",
    token,
    body: { amount_cents },
  });
  expect(answer.status).toBe(200);
}
/** What is reported of an invoice and its refunds, with tax, in cents. */
async function reportedCents(invoiceId: string): Promise<number> {
  const reports = await server.db.selectFrom("tax_reports").select("id").where("invoice_id", "=", invoiceId).execute();
  return reports
    .map(({ id }) => [...server.fake.store.taxTransactions.values()].find(({ reference }) => reference === id))
    .reduce((sum, transaction) => sum + (server.fake.store.taxTotals.get(transaction?.id ?? "") ?? 0), 0);
}

test("Stripe calculates the tax of a purchase from the address, and the invoice shows the tax of each jurisdiction", async () => {
  const who = await createBuyer(US);
  const before = countCalculations();
  const preview = await server.preview(who, PLAN);
  expect(preview).toMatchObject({ subtotal_cents: 2500, tax_cents: 181, total_due_now_cents: 2681 });
  await server.preview(who, PLAN);
  expect(countCalculations() - before).toBe(1);
  await buy(who);
  expect(countCalculations() - before).toBe(1);
  const invoice = await latestInvoice(who);
  const line = { name: "Sales Tax", taxable_cents: 2500, reason: "standard_rated" };
  expect(invoice).toMatchObject({
    total_cents: 2681,
    tax_percent: 7.25,
    tax_lines: [
      { ...line, jurisdiction: "California", percent: 6.25, tax_cents: 156 },
      { ...line, jurisdiction: "San Mateo County", percent: 1, tax_cents: 25 },
    ],
  });
  expect(await server.takenCents(who)).toBe(2681);
  const page = await (await server.send(`/api/invoices/${invoice.id}/page`, { token: who.key })).text();
  expect(page).toContain("Sales Tax, California, 6.25 %");
});

test("a calculation is used for one invoice only", async () => {
  const who = await createBuyer(DE);
  const topUp = () => server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1000 });
  expect((await topUp()).status).toBe(201);
  expect((await topUp()).status).toBe(201);
  const rows = await server.db
    .selectFrom("invoices")
    .select("tax_calculation")
    .where("organization_id", "=", who.organizationId)
    .execute();
  expect(new Set(rows.map(({ tax_calculation }) => (tax_calculation as { reference: string }).reference)).size).toBe(2);
});

test("the tax is reported once the invoice is paid, once even if the response is lost", async () => {
  const who = await createBuyer(DE);
  await buy(who);
  const { id } = await latestInvoice(who);
  expect(await reportedCents(id)).toBe(0);
  server.fake.fail(REPORT, "response lost", "response lost");
  await server.runJobs();
  await server.runJobs();
  expect(await reportedCents(id)).toBe(2975);
  const references = [...server.fake.store.taxTransactions.values()].map(({ reference }) => reference);
  expect(references.filter((reference) => reference === id)).toEqual([id]);
});

test.each([[{ status: 500 } as const], [{ status: 429 } as const], ["dropped" as const]])(
  "a report that fails with %s is sent again",
  async (failure) => {
    const who = await createBuyer(DE);
    await buy(who);
    const { id } = await latestInvoice(who);
    server.fake.fail(REPORT, failure, failure);
    await server.runJobs();
    expect(await reportedCents(id)).toBe(0);
    server.fake.recover();
    await server.runJobs();
    expect(await reportedCents(id)).toBe(2975);
  },
);

test("a refund takes its part of the tax back, and one that fails makes it owed again", async () => {
  const who = await createBuyer(DE);
  await buy(who);
  const { id } = await latestInvoice(who);
  await refund(id, 1000);
  await server.runJobs();
  expect(await reportedCents(id)).toBe(1975);
  await refund(id, null);
  await server.runJobs();
  expect(await reportedCents(id)).toBe(0);
  const stripeRefund = [...server.fake.store.refunds.values()].at(-1);
  server.fake.failRefund(stripeRefund?.id ?? "");
  const event = server.fake.store.events.at(-1);
  if (!event) throw new Error("Stripe has no event.");
  const { payload, signature } = server.fake.webhookOf(event);
  const response = await fetch(`${server.url}/api/payments/stripe/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": signature },
    body: payload,
  });
  expect(response.status).toBe(204);
  await server.runJobs();
  expect(await reportedCents(id)).toBe(1975);
});

test("refunds that wait for the report of their sale do not keep it from being sent", async () => {
  const who = await createBuyer(US);
  await buy(who);
  const { id } = await latestInvoice(who);
  await refund(id, 500);
  await refund(id, 300);
  const calls: string[] = [];
  const report = async ({ id }: { id: string }) => {
    calls.push(id);
    if (calls.length === 1) throw new Error("not now");
    return { reference: `tax_${id}` };
  };
  const service = { calculate: () => Promise.reject(new Error("unused")), report, takeBack: report, undo: report };
  const reports = createTaxReports({ db: server.db, log: { error: () => {} }, service, batchSize: 1 });
  for (let run = 0; run < 6; run++) await reports.run();
  expect(calls.slice(0, 2)).toEqual([id, id]);
  expect(new Set(calls).size).toBe(3);
});

test("a purchase without the address that the tax depends on is refused in words, and charges nothing", async () => {
  for (const details of [null, { country: "US" }]) {
    const who = await createBuyer(details);
    for (const answer of [
      await server.change(who, { ...PLAN, preview: true }),
      await server.change(who, PLAN),
      await server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1000 }),
    ])
      expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.tax_address"]);
    expect(await server.takenCents(who)).toBe(0);
  }
});

test.each([[{ status: 503 } as const], [{ status: 429 } as const], ["dropped" as const]])(
  "a quote while Stripe answers with %s says so, and charges nothing",
  async (failure) => {
    const who = await createBuyer(DE);
    server.fake.fail(CALCULATE, failure, failure, failure, failure);
    for (const body of [{ ...PLAN, preview: true }, PLAN]) {
      const answer = await server.change(who, body);
      expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.tax_unavailable"]);
    }
    expect(await server.takenCents(who)).toBe(0);
    server.fake.recover();
    await buy(who);
  },
);

test("a renewal waits while Stripe calculates no tax, and is charged with tax afterwards", async () => {
  const who = await createBuyer(DE);
  await buy(who);
  const { current_period_end_date: end } = await server.subscription(who);
  server.fake.fail(CALCULATE, ...Array.from({ length: 40 }, () => ({ status: 503 }) as const));
  await server.advanceTo(end ?? "");
  expect((await server.invoices(who)).length).toBe(1);
  server.fake.recover();
  await server.runJobs();
  expect(await latestInvoice(who)).toMatchObject({ status: "paid", total_cents: 2975, tax_cents: 475 });
});

test("a business with a VAT id in another country owes the tax itself, as Stripe says", async () => {
  const who = await createBuyer({ country: "FR", vat_id: "FR32123456789", name: "Acme SA" });
  await buy(who);
  const invoice = await latestInvoice(who);
  expect(invoice).toMatchObject({
    total_cents: 2500,
    reverse_charge: true,
    tax_percent: 0,
    tax_lines: [{ jurisdiction: "France", reason: "reverse_charge", percent: 0, tax_cents: 0 }],
  });
  const calculation = [...server.fake.store.taxCalculations.values()].at(-1);
  expect(calculation?.customer_details.tax_ids).toEqual([{ type: "eu_vat", value: "FR32123456789" }]);
});

test("automatic top-ups are charged with the tax that Stripe calculated", async () => {
  const who = await createBuyer(DE);
  const rule = { threshold_usd_cents: 1000, amount_usd_cents: 5000, monthly_limit_usd_cents: 6000 };
  const set = await server.call("/api/credits/auto-top-up", { method: "PUT", token: who.key, body: rule });
  expect(set.status).toBe(200);
  await server.runJobs();
  expect(await latestInvoice(who)).toMatchObject({ status: "paid", total_cents: 5950, tax_cents: 950 });
});

test("a renewal without the address that the tax depends on waits, and asks for it once", async () => {
  const who = await createBuyer(DE);
  await buy(who);
  const { current_period_end_date: end } = await server.subscription(who);
  const save = (body: object) =>
    server.call("/api/organization/billing-details", { method: "PUT", token: who.key, body });
  await save({ country: null, vat_id: null });
  await server.advanceTo(end ?? "");
  await server.runJobs();
  expect((await server.invoices(who)).length).toBe(1);
  const mails = (await server.listMails(who.email)).filter(({ subject }) => subject.includes("your address is needed"));
  expect(mails).toHaveLength(1);
  await save(DE);
  await server.runJobs();
  expect(await latestInvoice(who)).toMatchObject({ status: "paid", total_cents: 2975 });
});

test("an automatic top-up without the address that the tax depends on is paused, and says so", async () => {
  const who = await createBuyer(DE);
  const rule = { threshold_usd_cents: 1000, amount_usd_cents: 5000, monthly_limit_usd_cents: 6000 };
  await server.call("/api/credits/auto-top-up", { method: "PUT", token: who.key, body: rule });
  await server.call("/api/organization/billing-details", { method: "PUT", token: who.key, body: { country: null } });
  await server.runJobs();
  expect(await server.read(who, "/api/credits/auto-top-up")).toMatchObject({ paused: { reason: "no_address" } });
  expect(await server.takenCents(who)).toBe(0);
});

test("a renewal that is held asks Stripe for no tax", async () => {
  const who = await createBuyer(DE);
  await buy(who);
  const { current_period_end_date: end } = await server.subscription(who);
  server.clock.at = Date.parse(end ?? "") + 40 * DAY_MS;
  const before = countCalculations();
  await server.runJobs();
  expect(countCalculations()).toBe(before);
});

test("a report that Stripe refuses for good is not repeated, and the check of the connection names its invoice", async () => {
  const who = await createBuyer(DE);
  await buy(who);
  const { number } = await latestInvoice(who);
  server.clock.at += 91 * DAY_MS;
  await server.runJobs();
  const before = server.fake.requests.length;
  await server.runJobs();
  expect(server.fake.requests.slice(before).filter(({ url }) => url.startsWith("/v1/tax"))).toEqual([]);
  const { token } = await server.signInAdmin();
  const check = await server.call("/api/admin/payments/check", { token });
  const { problems, permissions } = check.body as { problems: string[]; permissions: object[] };
  expect(problems.join("\n")).toContain(`${number} (resource_missing)`);
  expect(permissions).toContainEqual({ name: "Tax Calculations and Transactions", access: "write", state: "granted" });
});

test.each([
  [{ FEATHER_PAYMENTS: "test", FEATHER_TAX: "stripe" }, "FEATHER_TAX: stripe needs FEATHER_PAYMENTS=stripe."],
  [{ FEATHER_PAYMENTS: "test", STRIPE_TAX_CODE: "txcd_10103001" }, "STRIPE_TAX_CODE: is for FEATHER_TAX=stripe only"],
  [{ FEATHER_TAX: "stripe", FEATHER_TAX_PERCENT: "20" }, "FEATHER_TAX_PERCENT: must be 0 with FEATHER_TAX=stripe"],
])("a server does not start with the settings %j", async (env, problem) => {
  const stripe = {
    FEATHER_PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: STRIPE_KEYS.secretKey,
    STRIPE_PUBLISHABLE_KEY: STRIPE_KEYS.publishableKey,
    STRIPE_WEBHOOK_SECRET: STRIPE_KEYS.webhookSecret,
  };
  await expect(createBillingServer("2026-01-01T00:00:00Z", { ...stripe, ...env })).rejects.toThrow(problem);
});
