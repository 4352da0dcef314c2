import type { EInvoice } from "./e-invoice.ts";

/** A standard invoice with a line that reduces it, a discount and a period. */
export const STANDARD: EInvoice = {
  kind: "invoice",
  number: "F-2026-0001",
  currency: "USD",
  issuedAt: new Date("2026-11-19T14:01:02Z"),
  seller: {
    name: "Plume & Co",
    addressLines: ["Quai 1"],
    postalCode: "75001",
    city: "Paris",
    country: "FR",
    vatId: "FR32123456789",
    email: "billing@example.com",
    contact: { name: "Accounting", phone: "+33 1 23456789" },
  },
  buyer: {
    name: "Brise SARL",
    addressLines: ["Rue 2", "69001 Lyon"],
    postalCode: null,
    city: null,
    country: "FR",
    vatId: null,
    email: null,
    contact: null,
  },
  buyerReference: null,
  lines: [
    { name: "Premium, unused time", cents: -500 },
    { name: "Scale, 19 Nov 2026 to 19 Dec 2026", cents: 10_000 },
  ],
  discount: { reason: "Coupon SPRING26", cents: 1000 },
  taxPercent: 20,
  taxCents: 1700,
  declaredTax: null,
  totalCents: 10_200,
  paidCents: 10_200,
  period: { start: new Date("2026-11-19T14:01:02Z"), end: new Date("2026-12-19T14:01:02Z") },
  correctedInvoice: null,
};

/** The same to a business in another country of the EU. */
export const REVERSE_CHARGE: EInvoice = {
  ...STANDARD,
  buyer: { ...STANDARD.buyer, name: "Feder <GmbH>", addressLines: [], country: "DE", vatId: "DE136695976" },
  taxPercent: null,
  taxCents: 0,
  totalCents: 8500,
  paidCents: 8500,
};

/** An invoice to a German authority, which has a Leitweg-ID. */
export const TO_AUTHORITY: EInvoice = {
  ...REVERSE_CHARGE,
  buyer: { ...REVERSE_CHARGE.buyer, postalCode: "10115", city: "Berlin", email: "rechnung@example.com" },
  buyerReference: "04011000-12345-03",
};

/** Invoices of all kinds that are issued, by what is special about them. */
export const SAMPLES: Readonly<Record<string, EInvoice>> = {
  "a standard invoice": STANDARD,
  "an unpaid invoice": { ...STANDARD, paidCents: 0 },
  "reverse charge": REVERSE_CHARGE,
  "an invoice to an authority": TO_AUTHORITY,
  "an unpaid invoice to an authority": { ...TO_AUTHORITY, paidCents: 0 },
  "a rate with a decimal, and tax that is rounded": {
    ...STANDARD,
    lines: [
      { name: "Trial", cents: 0 },
      { name: "Credits", cents: 333 },
    ],
    discount: null,
    taxPercent: 7.7,
    taxCents: 26,
    totalCents: 359,
    paidCents: 359,
    period: null,
  },
  "an invoice in euros": { ...STANDARD, currency: "EUR" },
  "an invoice whose tax is declared in euros": { ...STANDARD, declaredTax: { currency: "EUR", cents: 1564 } },
  "reverse charge with a tax in zlotys": { ...REVERSE_CHARGE, declaredTax: { currency: "PLN", cents: 0 } },
  "an invoice to an authority whose tax is declared in euros": {
    ...TO_AUTHORITY,
    declaredTax: { currency: "EUR", cents: 0 },
  },
  "an invoice in yen, which have no decimals": { ...STANDARD, currency: "JPY" },
  "an invoice in Kuwaiti dinars, which have three": {
    ...STANDARD,
    currency: "KWD",
    lines: [{ name: "Credits", cents: 10_000 }],
    discount: null,
    taxCents: 2_000,
    totalCents: 12_000,
    paidCents: 12_000,
    period: null,
  },
  "a credit note": {
    ...STANDARD,
    kind: "credit_note",
    number: "CN-2026-0001",
    lines: [{ name: "Refund of invoice F-2026-0001", cents: 500 }],
    discount: null,
    taxCents: 100,
    totalCents: 600,
    paidCents: 600,
    period: null,
    correctedInvoice: { number: "F-2026-0001", issuedAt: new Date("2026-11-19T14:01:02Z") },
  },
  "a credit note whose tax is declared in yen": {
    ...STANDARD,
    kind: "credit_note",
    number: "CN-2026-0003",
    lines: [{ name: "Refund of invoice F-2026-0001", cents: 500 }],
    discount: null,
    taxCents: 100,
    declaredTax: { currency: "JPY", cents: 155 },
    totalCents: 600,
    paidCents: 600,
    period: null,
    correctedInvoice: { number: "F-2026-0001", issuedAt: new Date("2026-11-19T14:01:02Z") },
  },
  "a credit note to an authority": {
    ...TO_AUTHORITY,
    kind: "credit_note",
    number: "CN-2026-0002",
    lines: [{ name: "Refund of invoice F-2026-0001", cents: 500 }],
    discount: null,
    totalCents: 500,
    paidCents: 500,
    period: null,
    correctedInvoice: { number: "F-2026-0001", issuedAt: new Date("2026-11-19T14:01:02Z") },
  },
};
