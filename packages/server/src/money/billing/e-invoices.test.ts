import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../testing/billing.ts";
import { USD_RATE } from "../currencies/index.ts";
import { draftSingleItemInvoice } from "../quotes/index.ts";
import { taxAt } from "../taxes/tax.ts";

const SELLER = {
  ...{ name: "Plume SA", address: "Quai 1", postal_code: "75001", city: "Paris", country: "FR" },
  vat_id: "FR32123456789",
  tax_currency: "EUR",
  contact: { name: "Accounting", phone: "+33 1 23456789", email: "billing@example.com" },
};
const AUTHORITY = { name: "Amt", address: "Weg 3", postal_code: "10115", city: "Berlin", country: "DE" };

let server: BillingServer;
beforeAll(async () => {
  const env = { FEATHER_SELLER: JSON.stringify(SELLER), FEATHER_TAX_PERCENT: "20", FEATHER_E_INVOICES: "ubl" };
  server = await createBillingServer("2026-03-01T00:00:00Z", env);
});
afterAll(() => server.close());

/** An organization with an invoice for which money moved. */
async function createInvoice(details: object): Promise<{ who: Buyer; id: string }> {
  const who = await server.createBuyer();
  await server.call("/api/organization/billing-details", { method: "PUT", token: who.key, body: details });
  const draft = draftSingleItemInvoice("Credits", 1000, taxAt(20, 1));
  const { organizationId } = who;
  const invoice = await server.db
    .transaction()
    .execute((trx) =>
      server.billing.invoicesRepository.create(
        { organizationId, kind: "top_up", draft, status: "paid", rate: USD_RATE, isTest: false },
        trx,
      ),
    );
  return { who, id: invoice?.id ?? "" };
}
const read = (who: Buyer, path: string) => server.send(path, { token: who.key });

test("an e-invoice is a file beside the PDF, which the invoice and its page name", async () => {
  const { who, id } = await createInvoice({ country: "FR" });
  expect((await server.invoices(who))[0]).toMatchObject({ e_invoice: "ubl" });
  const response = await read(who, `/api/invoices/${id}/xml`);
  expect(response.headers.get("content-type")).toBe("text/xml; charset=utf-8");
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="F-2026-\d+\.xml"$/);
  expect(await response.text()).toContain("<cbc:PayableAmount");
  expect(await (await read(who, `/api/invoices/${id}/page`)).text()).toContain('<a href="xml">');
  const pdf = Buffer.from(await (await read(who, `/api/invoices/${id}/pdf`)).arrayBuffer()).toString("latin1");
  expect(pdf).not.toContain("<fx:");
});

test("an e-invoice for a buyer with a reference is an XRechnung, and its page has the reference", async () => {
  const { who, id } = await createInvoice({ ...AUTHORITY, buyer_reference: "04011000-12345-03" });
  expect((await server.invoices(who))[0]).toMatchObject({ e_invoice: "xrechnung" });
  expect(await (await read(who, `/api/invoices/${id}/xml`)).text()).toContain("xrechnung_3.0");
  const page = await (await read(who, `/api/invoices/${id}/page`)).text();
  expect(page).toContain("Weg 3<br>10115 Berlin<br>Germany");
  expect(page).toContain("04011000-12345-03");
});

test("an e-invoice is attached to mail beside the PDF", async () => {
  const { id } = await createInvoice({ country: "FR" });
  const files = await server.billing.renderAttachments(`invoice:${id}`);
  expect(files.map(({ filename, contentType }) => [filename.split(".").at(-1), contentType])).toEqual([
    ["pdf", "application/pdf"],
    ["xml", "text/xml"],
  ]);
  expect(Buffer.from(files[1]?.content ?? []).toString()).toContain("<Invoice ");
});

test("an e-invoice of a refund is a credit note", async () => {
  const { who, id } = await createInvoice({ country: "FR" });
  const note = await server.db.transaction().execute(async (trx) => {
    const invoice = { ...(await server.billing.invoicesRepository.lock(id, trx)), refunded_cents: 600 };
    return server.billing.creditNotesRepository.create(invoice, 600, trx);
  });
  const xml = await (await read(who, `/api/credit-notes/${note.id}/xml`)).text();
  expect(xml).toContain("<CreditNote ");
  expect(xml).toContain('<cbc:TaxAmount currencyID="USD">1.00</cbc:TaxAmount>');
});

test("the tax is said in the seller's currency too, at the rate of the day of the invoice, also for its credit notes", async () => {
  const { token } = await server.signInAdmin();
  const setRate = (units_per_usd: string) =>
    server.call("/api/admin/currencies/EUR", { method: "PUT", token, body: { units_per_usd } });
  const before = await createInvoice({ country: "FR" });
  expect((await setRate("0.92")).status).toBe(200);
  const { who, id } = await createInvoice({ country: "FR" });
  await setRate("0.5");
  const xml = await (await read(who, `/api/invoices/${id}/xml`)).text();
  expect(xml).toContain("<cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>");
  expect(xml).toContain('<cbc:TaxAmount currencyID="EUR">1.84</cbc:TaxAmount>');
  const page = await (await read(who, `/api/invoices/${id}/page`)).text();
  expect(page).toContain("The tax is €1.84: 1 USD are 0.92 EUR.");
  const note = await server.db.transaction().execute(async (trx) => {
    const invoice = { ...(await server.billing.invoicesRepository.lock(id, trx)), refunded_cents: 600 };
    return server.billing.creditNotesRepository.create(invoice, 600, trx);
  });
  const noteXml = await (await read(who, `/api/credit-notes/${note.id}/xml`)).text();
  expect(noteXml).toContain('<cbc:TaxAmount currencyID="EUR">0.92</cbc:TaxAmount>');
  const xmlBefore = await (await read(before.who, `/api/invoices/${before.id}/xml`)).text();
  expect(xmlBefore).not.toContain("TaxCurrencyCode");
});

test("an invoice without a country, a test and an invoice of others are no e-invoices", async () => {
  const { who, id } = await createInvoice({ name: "Brise" });
  expect((await server.invoices(who))[0]).toMatchObject({ e_invoice: null });
  const refused = await server.call(`/api/invoices/${id}/xml`, { token: who.key });
  expect([refused.status, errorCode(refused.body)]).toEqual([404, "invoices.no_e_invoice"]);
  await server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1000 });
  expect((await server.invoices(who)).find(({ is_test }) => is_test)).toMatchObject({ e_invoice: null });
  const other = await server.createBuyer();
  const hidden = await server.call(`/api/invoices/${id}/xml`, { token: other.key });
  expect([hidden.status, errorCode(hidden.body)]).toEqual([404, "invoices.not_found"]);
});
