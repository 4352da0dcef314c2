import { describe, expect, test } from "vitest";
import type { EInvoice } from "./e-invoice.ts";
import { REVERSE_CHARGE, SAMPLES, STANDARD, TO_AUTHORITY } from "./samples.ts";
import { isXRechnung, toUbl } from "./ubl.ts";

/** Returns the texts of an element, wherever it is. */
function read(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<cbc:${name}(?: [^>]*)?>([^<]*)</cbc:${name}>`, "g"))].map(
    ([, text = ""]) => text,
  );
}
const readAmount = (xml: string, name: string) => Number(read(xml, name)[0] ?? 0);

describe("an invoice as UBL", () => {
  test.each(Object.entries(SAMPLES))("an invoice as UBL adds up: %s", (_, invoice) => {
    const xml = toUbl(invoice);
    const [sum = 0, ...lines] = read(xml, "LineExtensionAmount").map(Number);
    expect(lines.reduce((total, line) => total + line, 0)).toBeCloseTo(sum, 5);
    const net = readAmount(xml, "TaxExclusiveAmount");
    expect(net).toBeCloseTo(sum - readAmount(xml, "AllowanceTotalAmount"), 5);
    const total = readAmount(xml, "TaxInclusiveAmount");
    expect(total).toBeCloseTo(net + readAmount(xml, "TaxAmount"), 5);
    expect(readAmount(xml, "PayableAmount")).toBeCloseTo(total - readAmount(xml, "PrepaidAmount"), 5);
    const own = { ...invoice, declaredTax: null };
    expect([readAmount(xml, "TaxableAmount"), new Set(read(toUbl(own), "TaxAmount")).size]).toEqual([net, 1]);
  });

  test("an invoice as UBL names its standard, type, parties and currency", () => {
    const xml = toUbl(STANDARD);
    expect(read(xml, "CustomizationID")).toEqual(["urn:cen.eu:en16931:2017"]);
    expect(read(xml, "InvoiceTypeCode")).toEqual(["380"]);
    expect(read(xml, "RegistrationName")).toEqual(["Plume &#38; Co", "Brise SARL"]);
    expect(read(xml, "CompanyID")).toEqual(["FR32123456789"]);
    expect(xml).toContain(`<cbc:PayableAmount currencyID="USD">0.00</cbc:PayableAmount>`);
  });

  test("an invoice as UBL says the tax in the currency of the seller's taxes too, without its parts", () => {
    const xml = toUbl({ ...STANDARD, declaredTax: { currency: "EUR", cents: 1564 } });
    expect(read(xml, "TaxCurrencyCode")).toEqual(["EUR"]);
    expect(xml).toContain('<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">15.64</cbc:TaxAmount></cac:TaxTotal>');
    expect(read(toUbl(STANDARD), "TaxCurrencyCode")).toEqual([]);
  });

  test("an invoice as UBL gives lines that reduce it a negative quantity and a positive price", () => {
    const xml = toUbl(STANDARD);
    expect(read(xml, "InvoicedQuantity")).toEqual(["-1", "1"]);
    expect(read(xml, "PriceAmount")).toEqual(["5.00", "100.00"]);
  });

  test("an invoice as UBL says that the buyer owes the tax", () => {
    expect(read(toUbl(REVERSE_CHARGE), "TaxExemptionReasonCode")).toEqual(["VATEX-EU-AE"]);
  });

  test("a credit note as UBL is one, and names the invoice", () => {
    const xml = toUbl(SAMPLES["a credit note"] as EInvoice);
    expect(xml).toContain("<CreditNote xmlns=");
    expect(read(xml, "CreditNoteTypeCode")).toEqual(["381"]);
    expect(xml).toContain("<cac:InvoiceDocumentReference><cbc:ID>F-2026-0001</cbc:ID>");
  });

  test("an invoice with a reference is an XRechnung with contact, places and addresses for messages", () => {
    const xml = toUbl(TO_AUTHORITY);
    expect(read(xml, "CustomizationID")[0]).toContain("xrechnung_3.0");
    expect(read(xml, "BuyerReference")).toEqual(["04011000-12345-03"]);
    expect(read(xml, "EndpointID")).toEqual(["billing@example.com", "rechnung@example.com"]);
    expect([read(xml, "PostalZone"), read(xml, "CityName")]).toEqual([
      ["75001", "10115"],
      ["Paris", "Berlin"],
    ]);
    expect(read(xml, "Telephone")).toEqual(["+33 1 23456789"]);
  });

  test.each([
    ["reference", { buyerReference: null }],
    ["contact", { seller: { ...TO_AUTHORITY.seller, contact: null } }],
    ["city of the seller", { seller: { ...TO_AUTHORITY.seller, city: null } }],
    ["postal code of the buyer", { buyer: { ...TO_AUTHORITY.buyer, postalCode: null } }],
    ["address of the buyer for messages", { buyer: { ...TO_AUTHORITY.buyer, email: null } }],
  ])("an invoice without a %s is no XRechnung, and holds to EN 16931", (_, change) => {
    expect(isXRechnung(TO_AUTHORITY)).toBe(true);
    const invoice = { ...TO_AUTHORITY, ...change };
    expect(isXRechnung(invoice)).toBe(false);
    expect(read(toUbl(invoice), "CustomizationID")).toEqual(["urn:cen.eu:en16931:2017"]);
  });
});
