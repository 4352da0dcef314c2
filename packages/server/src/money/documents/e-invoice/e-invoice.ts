/** A party of an e-invoice. `vatId` is always there for the seller. */
export type EInvoiceParty = {
  name: string;
  addressLines: readonly string[];
  postalCode: string | null;
  city: string | null;
  country: string;
  vatId: string | null;
  /** The address to which messages about invoices go. */
  email: string | null;
  /** Who answers questions about an invoice. */
  contact: { name: string; phone: string } | null;
};

/** An invoice or credit note as data that programs book. Amounts are minor units, and positive in both kinds. */
export type EInvoice = {
  kind: "invoice" | "credit_note";
  number: string;
  currency: string;
  issuedAt: Date;
  seller: EInvoiceParty;
  buyer: EInvoiceParty;
  /** What the buyer asked to be named, such as the Leitweg-ID of a German authority. */
  buyerReference: string | null;
  lines: readonly { name: string; cents: number }[];
  discount: { reason: string; cents: number } | null;
  /** The rate in percent; null where the buyer owes the tax. */
  taxPercent: number | null;
  taxCents: number;
  /** The tax in the currency in which the seller declares it, where that is another. */
  declaredTax: { currency: string; cents: number } | null;
  totalCents: number;
  paidCents: number;
  period: { start: Date; end: Date } | null;
  /** The invoice that a credit note is about. */
  correctedInvoice: { number: string; issuedAt: Date } | null;
};
