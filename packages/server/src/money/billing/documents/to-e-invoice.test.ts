import { expect, test } from "vitest";
import type { CreditNoteRow } from "../invoices/credit-notes.repository.ts";
import type { InvoiceRow } from "../invoices/invoices.repository.ts";
import { toCreditNoteEInvoice, toEInvoice } from "./to-e-invoice.ts";

const seller = { name: "Plume SA", address: "Quai 1\n75001 Paris", country: "FR", vat_id: "FR32123456789" };
const billed_to = { name: "Feder GmbH", email: "a@example.com", address: null, country: "DE", vat_id: "DE136695976" };
const row = {
  id: "inv_1",
  number: "F-2026-0001",
  status: "paid",
  lines: [{ description: "Premium", amount_cents: 2500 }],
  discount_cents: 500,
  coupon_code: "SPRING26",
  tax_percent: "20.00",
  tax_cents: 400,
  total_cents: 2400,
  reverse_charge: false,
  tax_calculation: null,
  currency: "USD",
  minor_per_usd: "100",
  tax_currency: null,
  tax_minor_per_usd: null,
  seller,
  billed_to,
  is_test: false,
  period_start_date: new Date("2026-11-19T00:00:00Z"),
  period_end_date: new Date("2026-12-19T00:00:00Z"),
  created_at: new Date("2026-11-19T00:00:00Z"),
} as unknown as InvoiceRow;

test("an invoice becomes data for programs with its parties, lines and amounts", () => {
  expect(toEInvoice(row)).toEqual({
    kind: "invoice",
    currency: "USD",
    declaredTax: null,
    number: "F-2026-0001",
    issuedAt: row.created_at,
    seller: {
      ...{ name: "Plume SA", addressLines: ["Quai 1", "75001 Paris"], country: "FR", vatId: "FR32123456789" },
      ...{ postalCode: null, city: null, email: null, contact: null },
    },
    buyer: {
      ...{ name: "Feder GmbH", addressLines: [], country: "DE", vatId: "DE136695976" },
      ...{ postalCode: null, city: null, email: "a@example.com", contact: null },
    },
    buyerReference: null,
    lines: [{ name: "Premium", cents: 2500 }],
    discount: { reason: "Coupon SPRING26", cents: 500 },
    taxPercent: 20,
    taxCents: 400,
    totalCents: 2400,
    paidCents: 2400,
    period: { start: row.period_start_date, end: row.period_end_date },
    correctedInvoice: null,
  });
});

test("an invoice takes places, the seller's contact and the buyer's reference over", () => {
  const contact = { name: "Accounting", phone: "+33 1 23456789", email: "billing@example.com" };
  const place = { postal_code: "10115", city: "Berlin", buyer_reference: "04011000-12345-03" };
  const invoice = { ...row, seller: { ...seller, contact }, billed_to: { ...billed_to, ...place } };
  expect(toEInvoice(invoice as InvoiceRow)).toMatchObject({
    seller: { email: "billing@example.com", contact: { name: "Accounting", phone: "+33 1 23456789" } },
    buyer: { postalCode: "10115", city: "Berlin" },
    buyerReference: "04011000-12345-03",
  });
});

test("an invoice in another currency than the seller's says the tax in both, at the rates that are stored with it", () => {
  const invoice = { ...row, tax_currency: "EUR", tax_minor_per_usd: "92.5", minor_per_usd: "100" };
  expect(toEInvoice(invoice as InvoiceRow)?.declaredTax).toEqual({ currency: "EUR", cents: 370 });
  const inYen = { ...invoice, currency: "JPY", minor_per_usd: "155", tax_cents: 31 };
  expect(toEInvoice(inYen as InvoiceRow)?.declaredTax).toEqual({ currency: "EUR", cents: 19 });
  const note = { number: "CN-1", tax_cents: 200, total_cents: 1200, withdrawn_at: null } as CreditNoteRow;
  expect(toCreditNoteEInvoice(note, invoice as InvoiceRow)?.declaredTax).toEqual({ currency: "EUR", cents: 185 });
});

test("an invoice with reverse charge has no rate, and an open one is not paid", () => {
  const open = { ...row, status: "open", tax_percent: "0.00", tax_cents: 0, total_cents: 2000, reverse_charge: true };
  expect(toEInvoice(open)).toMatchObject({ taxPercent: null, taxCents: 0, paidCents: 0 });
});

test("an invoice with taxes of two jurisdictions is no data for programs, and one with a calculated VAT is", () => {
  const line = {
    name: "VAT",
    jurisdiction: "France",
    percent: 20,
    taxable_cents: 2000,
    tax_cents: 400,
    reason: "standard_rated",
  };
  const calculated = (lines: (typeof line)[]) => ({
    ...row,
    tax_calculation: { reference: "taxcalc_1", tax_cents: 400, lines },
  });
  expect(toEInvoice(calculated([line]))).toMatchObject({ taxPercent: 20, taxCents: 400 });
  expect(toEInvoice(calculated([line, line]))).toBeNull();
});

test("a credit note becomes data for programs with positive amounts and the invoice", () => {
  const note = {
    id: "crn_1",
    invoice_id: "inv_1",
    currency: "USD",
    organization_id: "org_1",
    number: "CN-2026-0001",
    tax_cents: 200,
    total_cents: 1200,
    is_test: false,
    created_at: new Date("2026-11-20T00:00:00Z"),
    withdrawn_at: null,
  };
  expect(toCreditNoteEInvoice(note, row)).toMatchObject({
    kind: "credit_note",
    lines: [{ name: "Refund of invoice F-2026-0001", cents: 1000 }],
    taxCents: 200,
    totalCents: 1200,
    paidCents: 1200,
    correctedInvoice: { number: "F-2026-0001" },
  });
});

test("a credit note that was withdrawn is no data for programs", () => {
  expect(toCreditNoteEInvoice({ withdrawn_at: new Date(0) } as CreditNoteRow, row)).toBeNull();
});

test.each([
  ["a test", { is_test: true }],
  ["no seller", { seller: null }],
  ["a seller without a VAT id", { seller: { ...seller, vat_id: undefined } }],
  ["a buyer without a country", { billed_to: { ...billed_to, country: null } }],
  ["a buyer without a name", { billed_to: { ...billed_to, name: "" } }],
  ["no tax for a reason that is not known", { tax_percent: "0.00", tax_cents: 0 }],
  ["no recorded rate", { tax_percent: null }],
])("an invoice with %s is no data for programs", (_, change) => {
  expect(toEInvoice({ ...row, ...change } as InvoiceRow)).toBeNull();
});
