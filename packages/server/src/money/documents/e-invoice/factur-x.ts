import { toThreeLines } from "./address-lines.ts";
import type { EInvoice, EInvoiceParty } from "./e-invoice.ts";
import { element, formatAmount, toDocument, type Xml } from "./xml.ts";

const NAMESPACES = {
  "xmlns:rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
  "xmlns:ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
  "xmlns:udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
};
const BASIC_PROFILE = "urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic";
const TYPE_CODES = { invoice: "380", credit_note: "381" } as const;
/** The unit of a line that is not counted. */
const ONE = "C62";

/** Returns the invoice as XML of Factur-X 1.0 (CII) in its profile BASIC. */
export function toFacturX(invoice: EInvoice): string {
  const root = element(
    "rsm:CrossIndustryInvoice",
    [
      element("rsm:ExchangedDocumentContext", [
        element("ram:GuidelineSpecifiedDocumentContextParameter", [element("ram:ID", BASIC_PROFILE)]),
      ]),
      element("rsm:ExchangedDocument", [
        element("ram:ID", invoice.number),
        element("ram:TypeCode", TYPE_CODES[invoice.kind]),
        element("ram:IssueDateTime", date(invoice.issuedAt)),
      ]),
      element("rsm:SupplyChainTradeTransaction", [
        ...invoice.lines.map((line, index) => toLine(line, index + 1, invoice)),
        element("ram:ApplicableHeaderTradeAgreement", [
          element("ram:BuyerReference", invoice.buyerReference),
          toParty("ram:SellerTradeParty", invoice.seller),
          toParty("ram:BuyerTradeParty", invoice.buyer),
        ]),
        element("ram:ApplicableHeaderTradeDelivery", [
          element("ram:ActualDeliverySupplyChainEvent", [element("ram:OccurrenceDateTime", date(invoice.issuedAt))]),
        ]),
        toSettlement(invoice),
      ]),
    ],
    NAMESPACES,
  );
  return toDocument(root);
}

/** A line that reduces the invoice has a negative quantity, since prices cannot be negative. */
function toLine({ name, cents }: EInvoice["lines"][number], position: number, invoice: EInvoice): Xml | null {
  const amount = (minor: number) => formatAmount(minor, invoice.currency);
  return element("ram:IncludedSupplyChainTradeLineItem", [
    element("ram:AssociatedDocumentLineDocument", [element("ram:LineID", String(position))]),
    element("ram:SpecifiedTradeProduct", [element("ram:Name", name)]),
    element("ram:SpecifiedLineTradeAgreement", [
      element("ram:NetPriceProductTradePrice", [element("ram:ChargeAmount", amount(Math.abs(cents)))]),
    ]),
    element("ram:SpecifiedLineTradeDelivery", [
      element("ram:BilledQuantity", cents < 0 ? "-1" : "1", { unitCode: ONE }),
    ]),
    element("ram:SpecifiedLineTradeSettlement", [
      element("ram:ApplicableTradeTax", toTaxCategory(invoice)),
      element("ram:SpecifiedTradeSettlementLineMonetarySummation", [element("ram:LineTotalAmount", amount(cents))]),
    ]),
  ]);
}

function toParty(name: string, party: EInvoiceParty): Xml | null {
  const { name: partyName, addressLines, postalCode, city, country, vatId } = party;
  const [one = null, two = null, three = null] = toThreeLines(addressLines);
  return element(name, [
    element("ram:Name", partyName),
    element("ram:PostalTradeAddress", [
      element("ram:PostcodeCode", postalCode),
      element("ram:LineOne", one),
      element("ram:LineTwo", two),
      element("ram:LineThree", three),
      element("ram:CityName", city),
      element("ram:CountryID", country),
    ]),
    vatId === null ? null : element("ram:SpecifiedTaxRegistration", [element("ram:ID", vatId, { schemeID: "VA" })]),
  ]);
}

function toSettlement(invoice: EInvoice): Xml | null {
  const { taxCents, totalCents, paidCents, lines, discount, period, correctedInvoice, declaredTax } = invoice;
  const amount = (cents: number) => formatAmount(cents, invoice.currency);
  const netCents = totalCents - taxCents;
  const dueCents = totalCents - paidCents;
  return element("ram:ApplicableHeaderTradeSettlement", [
    element("ram:TaxCurrencyCode", declaredTax?.currency ?? null),
    element("ram:InvoiceCurrencyCode", invoice.currency),
    element("ram:ApplicableTradeTax", toTaxSum(invoice, netCents)),
    period &&
      element("ram:BillingSpecifiedPeriod", [
        element("ram:StartDateTime", date(period.start)),
        element("ram:EndDateTime", date(period.end)),
      ]),
    discount &&
      element("ram:SpecifiedTradeAllowanceCharge", [
        element("ram:ChargeIndicator", [element("udt:Indicator", "false")]),
        element("ram:ActualAmount", amount(discount.cents)),
        element("ram:Reason", discount.reason),
        element("ram:CategoryTradeTax", toTaxCategory(invoice)),
      ]),
    dueCents > 0
      ? element("ram:SpecifiedTradePaymentTerms", [element("ram:Description", "Charged to the card of the account.")])
      : null,
    element("ram:SpecifiedTradeSettlementHeaderMonetarySummation", [
      element("ram:LineTotalAmount", amount(lines.reduce((sum, { cents }) => sum + cents, 0))),
      discount && element("ram:AllowanceTotalAmount", amount(discount.cents)),
      element("ram:TaxBasisTotalAmount", amount(netCents)),
      element("ram:TaxTotalAmount", amount(taxCents), { currencyID: invoice.currency }),
      declaredTax &&
        element("ram:TaxTotalAmount", formatAmount(declaredTax.cents, declaredTax.currency), {
          currencyID: declaredTax.currency,
        }),
      element("ram:GrandTotalAmount", amount(totalCents)),
      element("ram:TotalPrepaidAmount", amount(paidCents)),
      element("ram:DuePayableAmount", amount(dueCents)),
    ]),
    correctedInvoice &&
      element("ram:InvoiceReferencedDocument", [element("ram:IssuerAssignedID", correctedInvoice.number)]),
  ]);
}

/** Returns the category of the tax: S at the rate, or AE where the buyer owes it. */
function toTaxCategory({ taxPercent }: EInvoice): (Xml | null)[] {
  return [
    element("ram:TypeCode", "VAT"),
    element("ram:CategoryCode", taxPercent === null ? "AE" : "S"),
    element("ram:RateApplicablePercent", String(taxPercent ?? 0)),
  ];
}

function toTaxSum({ taxPercent, taxCents, currency }: EInvoice, netCents: number): (Xml | null)[] {
  const amount = (cents: number) => formatAmount(cents, currency);
  return [
    element("ram:CalculatedAmount", amount(taxCents)),
    element("ram:TypeCode", "VAT"),
    taxPercent === null ? element("ram:ExemptionReason", "Reverse charge") : null,
    element("ram:BasisAmount", amount(netCents)),
    element("ram:CategoryCode", taxPercent === null ? "AE" : "S"),
    taxPercent === null ? element("ram:ExemptionReasonCode", "VATEX-EU-AE") : null,
    element("ram:RateApplicablePercent", String(taxPercent ?? 0)),
  ];
}

function date(value: Date): [Xml | null] {
  const text = value.toISOString().slice(0, 10).replaceAll("-", "");
  return [element("udt:DateTimeString", text, { format: "102" })];
}
