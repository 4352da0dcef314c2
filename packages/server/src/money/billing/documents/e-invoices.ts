import type { FastifyReply } from "fastify";
import { errors } from "../../../platform/core/errors/index.ts";
import {
  type BillingDocument,
  type DocumentSettings,
  type EInvoice,
  isXRechnung,
  toUbl,
} from "../../documents/index.ts";
import type { InvoiceRow } from "../invoices/invoices.repository.ts";
import { toEInvoice } from "./to-e-invoice.ts";

/** Returns a document as data for programs in the form that the settings name. */
export function toEInvoices(
  { eInvoices }: Pick<DocumentSettings, "eInvoices">,
  convert: () => EInvoice | null,
): Pick<BillingDocument, "facturX" | "ubl"> {
  return {
    facturX: eInvoices === "factur-x" ? convert() : null,
    ubl: eInvoices === "ubl" ? convert() : null,
  };
}

/** Returns the form in which an invoice is data for programs; null for none. */
export function eInvoiceFormat(
  invoice: InvoiceRow,
  settings: Pick<DocumentSettings, "eInvoices">,
): "factur-x" | "ubl" | "xrechnung" | null {
  const { facturX, ubl } = toEInvoices(settings, () => toEInvoice(invoice));
  if (facturX !== null) return "factur-x";
  if (ubl === null) return null;
  return isXRechnung(ubl) ? "xrechnung" : "ubl";
}

/** Sends a document as UBL, named after its number. Throws `invoices.no_e_invoice` where there is none. */
export function sendUbl(reply: FastifyReply, { number, ubl }: BillingDocument): FastifyReply {
  if (ubl === null) throw errors.invoices.noEInvoice();
  return reply
    .headers({ "content-disposition": `attachment; filename="${number}.xml"`, "cache-control": "no-store" })
    .type("text/xml; charset=utf-8")
    .send(toUbl(ubl));
}
