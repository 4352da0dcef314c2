import type { EInvoice } from "./e-invoice/e-invoice.ts";

/** A name with the lines that follow it: address, e-mail address, VAT id. */
export type Party = { name: string; details: string[] };

/** A labelled text. */
export type Fact = { label: string; text: string };

/** A labelled amount in minor units of the currency of the document. */
export type Amount = { label: string; cents: number };

/** What an invoice says, whatever it is rendered as. The lines add up to the first of the totals. */
export type BillingDocument = {
  title: string;
  number: string;
  isTest: boolean;
  currency: string;
  issuedAt: Date;
  seller: Party;
  buyer: Party;
  facts: Fact[];
  lines: Amount[];
  totals: Amount[];
  /** The amount that the document is about, and its label. */
  total: Amount;
  /** What became of the total: paid, refunded, still owed. */
  settlement: Amount[];
  notes: string[];
  /** The same as data for programs, which the PDF then holds; null for none. */
  facturX: EInvoice | null;
  /** The same as data for programs, which is a file of its own; null for none. */
  ubl: EInvoice | null;
};

/** What documents depend on besides their rows. */
export type DocumentSettings = {
  /** Stands for the seller of invoices that name none. */
  productName: string;
  /** In which form documents are data for programs too. */
  eInvoices: "off" | "factur-x" | "ubl";
};
