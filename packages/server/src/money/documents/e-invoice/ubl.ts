import { toThreeLines } from "./address-lines.ts";
import type { EInvoice, EInvoiceParty } from "./e-invoice.ts";
import { element, formatAmount, toDocument, type Xml } from "./xml.ts";

const UBL = "urn:oasis:names:specification:ubl:schema:xsd";
const NAMESPACES = {
  "xmlns:cac": `${UBL}:CommonAggregateComponents-2`,
  "xmlns:cbc": `${UBL}:CommonBasicComponents-2`,
};
const EN_16931 = "urn:cen.eu:en16931:2017";
const XRECHNUNG = `${EN_16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`;
/** The process of billing, which XRechnung asks to be named. */
const BILLING = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
/** The unit of a line that is not counted. */
const ONE = "C62";
/** Online payment service, by UNTDID 4461. The codes of cards need their last digits, which an invoice does not have. */
const PAID_ONLINE = "68";
/** The scheme of e-mail addresses among electronic addresses. */
const EMAIL = "EM";

/** Elements that invoices and credit notes name differently. */
const NAMES = {
  invoice: { root: "Invoice", type: "InvoiceTypeCode", code: "380", line: "InvoiceLine", quantity: "InvoicedQuantity" },
  credit_note: {
    root: "CreditNote",
    type: "CreditNoteTypeCode",
    code: "381",
    line: "CreditNoteLine",
    quantity: "CreditedQuantity",
  },
} as const;

/** Returns whether an invoice has all that XRechnung asks for beyond EN 16931. */
export function isXRechnung({ buyerReference, seller, buyer }: EInvoice): boolean {
  const hasPlace = ({ postalCode, city }: EInvoiceParty) => postalCode !== null && city !== null;
  const hasContact = seller.contact !== null && seller.email !== null && buyer.email !== null;
  return buyerReference !== null && hasContact && hasPlace(seller) && hasPlace(buyer);
}

/** Returns the invoice as XML of UBL 2.1 by EN 16931, and by XRechnung 3.0 where it has all that this asks for. */
export function toUbl(invoice: EInvoice): string {
  const { kind, number, issuedAt, buyerReference, seller, buyer } = invoice;
  const { root, type, code } = NAMES[kind];
  const content = [
    cbc("CustomizationID", isXRechnung(invoice) ? XRECHNUNG : EN_16931),
    cbc("ProfileID", BILLING),
    cbc("ID", number),
    cbc("IssueDate", day(issuedAt)),
    cbc(type, code),
    cbc("DocumentCurrencyCode", invoice.currency),
    cbc("TaxCurrencyCode", invoice.declaredTax?.currency ?? null),
    cbc("BuyerReference", buyerReference),
    toPeriod(invoice),
    toCorrectedInvoice(invoice),
    cac("AccountingSupplierParty", [toParty(seller)]),
    cac("AccountingCustomerParty", [toParty(buyer)]),
    cac("Delivery", [cbc("ActualDeliveryDate", day(issuedAt))]),
    cac("PaymentMeans", [cbc("PaymentMeansCode", PAID_ONLINE)]),
    toPaymentTerms(invoice),
    toDiscount(invoice),
    toTaxTotal(invoice),
    toDeclaredTax(invoice),
    toTotals(invoice),
    ...invoice.lines.map((line, index) => toLine(line, index + 1, invoice)),
  ];
  return toDocument(element(root, content, { xmlns: `${UBL}:${root}-2`, ...NAMESPACES }));
}

function toPeriod({ period }: EInvoice): Xml | null {
  return period && cac("InvoicePeriod", [cbc("StartDate", day(period.start)), cbc("EndDate", day(period.end))]);
}

function toCorrectedInvoice({ correctedInvoice }: EInvoice): Xml | null {
  if (correctedInvoice === null) return null;
  const { number, issuedAt } = correctedInvoice;
  return cac("BillingReference", [
    cac("InvoiceDocumentReference", [cbc("ID", number), cbc("IssueDate", day(issuedAt))]),
  ]);
}

function toParty(party: EInvoiceParty): Xml | null {
  const { name, addressLines, postalCode, city, country, vatId, email, contact } = party;
  const [one = null, two = null, three = null] = toThreeLines(addressLines);
  return cac("Party", [
    cbc("EndpointID", email, { schemeID: EMAIL }),
    cac("PostalAddress", [
      cbc("StreetName", one),
      cbc("AdditionalStreetName", two),
      cbc("CityName", city),
      cbc("PostalZone", postalCode),
      three === null ? null : cac("AddressLine", [cbc("Line", three)]),
      cac("Country", [cbc("IdentificationCode", country)]),
    ]),
    vatId === null ? null : cac("PartyTaxScheme", [cbc("CompanyID", vatId), VAT]),
    cac("PartyLegalEntity", [cbc("RegistrationName", name)]),
    contact &&
      cac("Contact", [cbc("Name", contact.name), cbc("Telephone", contact.phone), cbc("ElectronicMail", email)]),
  ]);
}

function toPaymentTerms({ totalCents, paidCents }: EInvoice): Xml | null {
  return totalCents > paidCents ? cac("PaymentTerms", [cbc("Note", "Charged to the card of the account.")]) : null;
}

function toDiscount(invoice: EInvoice): Xml | null {
  const { discount } = invoice;
  if (discount === null) return null;
  return cac("AllowanceCharge", [
    cbc("ChargeIndicator", "false"),
    cbc("AllowanceChargeReason", discount.reason),
    amount(invoice, "Amount", discount.cents),
    cac("TaxCategory", toCategory(invoice)),
  ]);
}

function toTaxTotal(invoice: EInvoice): Xml | null {
  const { taxCents, totalCents, taxPercent } = invoice;
  const [id = null, percent = null, scheme = null] = toCategory(invoice);
  const reasons =
    taxPercent === null
      ? [cbc("TaxExemptionReasonCode", "VATEX-EU-AE"), cbc("TaxExemptionReason", "Reverse charge")]
      : [];
  return cac("TaxTotal", [
    amount(invoice, "TaxAmount", taxCents),
    cac("TaxSubtotal", [
      amount(invoice, "TaxableAmount", totalCents - taxCents),
      amount(invoice, "TaxAmount", taxCents),
      cac("TaxCategory", [id, percent, ...reasons, scheme]),
    ]),
  ]);
}

function toDeclaredTax({ declaredTax }: EInvoice): Xml | null {
  return declaredTax && cac("TaxTotal", [amount(declaredTax, "TaxAmount", declaredTax.cents)]);
}

function toTotals(invoice: EInvoice): Xml | null {
  const { lines, discount, taxCents, totalCents, paidCents } = invoice;
  return cac("LegalMonetaryTotal", [
    amount(
      invoice,
      "LineExtensionAmount",
      lines.reduce((sum, { cents }) => sum + cents, 0),
    ),
    amount(invoice, "TaxExclusiveAmount", totalCents - taxCents),
    amount(invoice, "TaxInclusiveAmount", totalCents),
    discount && amount(invoice, "AllowanceTotalAmount", discount.cents),
    amount(invoice, "PrepaidAmount", paidCents),
    amount(invoice, "PayableAmount", totalCents - paidCents),
  ]);
}

/** A line that reduces the invoice has a negative quantity, since prices cannot be negative. */
function toLine({ name, cents }: EInvoice["lines"][number], position: number, invoice: EInvoice): Xml | null {
  const { line, quantity } = NAMES[invoice.kind];
  return cac(line, [
    cbc("ID", String(position)),
    cbc(quantity, cents < 0 ? "-1" : "1", { unitCode: ONE }),
    amount(invoice, "LineExtensionAmount", cents),
    cac("Item", [cbc("Name", name), cac("ClassifiedTaxCategory", toCategory(invoice))]),
    cac("Price", [amount(invoice, "PriceAmount", Math.abs(cents))]),
  ]);
}

/** Returns the category of the tax: S at the rate, or AE where the buyer owes it. */
function toCategory({ taxPercent }: EInvoice): (Xml | null)[] {
  return [cbc("ID", taxPercent === null ? "AE" : "S"), cbc("Percent", String(taxPercent ?? 0)), VAT];
}

function cac(name: string, content: readonly (Xml | null)[]): Xml | null {
  return element(`cac:${name}`, content);
}

function cbc(name: string, text: string | null, attributes: Readonly<Record<string, string>> = {}): Xml | null {
  return element(`cbc:${name}`, text, attributes);
}

function amount({ currency }: Pick<EInvoice, "currency">, name: string, minor: number): Xml | null {
  return cbc(name, formatAmount(minor, currency), { currencyID: currency });
}

const VAT = cac("TaxScheme", [cbc("ID", "VAT")]);

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
