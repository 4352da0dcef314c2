import { describe, expect, test } from "vitest";
import type { EInvoice } from "./e-invoice.ts";
import { toFacturX } from "./factur-x.ts";
import { REVERSE_CHARGE, SAMPLES, STANDARD } from "./samples.ts";

/** Returns the texts of an element, wherever it is. */
function read(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<ram:${name}(?: [^>]*)?>([^<]*)</ram:${name}>`, "g"))].map(
    ([, text = ""]) => text,
  );
}
const readAmount = (xml: string, name: string) => Number(read(xml, name)[0] ?? 0);

describe("an invoice as Factur-X", () => {
  test.each(Object.entries(SAMPLES))("an invoice as Factur-X adds up: %s", (_, invoice) => {
    const xml = toFacturX(invoice);
    const lines = read(xml, "LineTotalAmount").map(Number);
    const [sum = 0] = lines.slice(-1);
    expect(lines.slice(0, -1).reduce((total, line) => total + line, 0)).toBeCloseTo(sum, 5);
    const basis = readAmount(xml, "TaxBasisTotalAmount");
    expect(basis).toBeCloseTo(sum - readAmount(xml, "AllowanceTotalAmount"), 5);
    const total = readAmount(xml, "GrandTotalAmount");
    expect(total).toBeCloseTo(basis + readAmount(xml, "TaxTotalAmount"), 5);
    expect(readAmount(xml, "DuePayableAmount")).toBeCloseTo(total - readAmount(xml, "TotalPrepaidAmount"), 5);
    expect([readAmount(xml, "BasisAmount"), readAmount(xml, "CalculatedAmount")]).toEqual([
      basis,
      readAmount(xml, "TaxTotalAmount"),
    ]);
  });

  test("an invoice as Factur-X names profile, type, parties and currency", () => {
    const xml = toFacturX(STANDARD);
    expect(xml).toContain("urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic");
    expect(read(xml, "TypeCode")[0]).toBe("380");
    expect(xml).toContain(`<udt:DateTimeString format="102">20261119</udt:DateTimeString>`);
    expect(xml).toContain(`<ram:ID schemeID="VA">FR32123456789</ram:ID>`);
    expect(read(xml, "InvoiceCurrencyCode")).toEqual(["USD"]);
    expect(new Set(read(xml, "CategoryCode"))).toEqual(new Set(["S"]));
  });

  test("an invoice as Factur-X says the tax in the currency of the seller's taxes too", () => {
    const xml = toFacturX({ ...STANDARD, declaredTax: { currency: "EUR", cents: 1564 } });
    expect([read(xml, "TaxCurrencyCode"), read(xml, "TaxTotalAmount")]).toEqual([["EUR"], ["17.00", "15.64"]]);
    expect(xml).toContain('<ram:TaxTotalAmount currencyID="EUR">15.64</ram:TaxTotalAmount>');
    expect(read(toFacturX(STANDARD), "TaxCurrencyCode")).toEqual([]);
  });

  test("an invoice as Factur-X gives lines that reduce it a negative quantity and a positive price", () => {
    const xml = toFacturX(STANDARD);
    expect(read(xml, "BilledQuantity")).toEqual(["-1", "1"]);
    expect(read(xml, "ChargeAmount")).toEqual(["5.00", "100.00"]);
  });

  test("an invoice as Factur-X says that the buyer owes the tax", () => {
    const xml = toFacturX(REVERSE_CHARGE);
    expect(new Set(read(xml, "CategoryCode"))).toEqual(new Set(["AE"]));
    expect(read(xml, "ExemptionReasonCode")).toEqual(["VATEX-EU-AE"]);
  });

  test("a credit note as Factur-X names the invoice", () => {
    const xml = toFacturX(SAMPLES["a credit note"] as EInvoice);
    expect(read(xml, "TypeCode")[0]).toBe("381");
    expect(read(xml, "IssuerAssignedID")).toEqual(["F-2026-0001"]);
  });

  test("an invoice as Factur-X escapes names, and leaves out characters that XML cannot hold", () => {
    const buyer = { ...STANDARD.buyer, name: `<a href="x">&\u0000\u0007é株` };
    expect(toFacturX({ ...STANDARD, buyer })).toContain("<ram:Name>&#60;a href=&#34;x&#34;&#62;&#38;é株</ram:Name>");
  });

  test("an invoice as Factur-X puts an address of many lines in three", () => {
    const seller = { ...STANDARD.seller, addressLines: ["a", "b", "c", "d"] };
    const xml = toFacturX({ ...STANDARD, seller });
    expect([read(xml, "LineOne")[0], read(xml, "LineTwo")[0], read(xml, "LineThree")[0]]).toEqual(["a", "b", "c, d"]);
  });
});
