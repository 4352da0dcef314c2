import type { Database } from "../../../platform/core/db/connect.ts";
import type { RenderAttachments } from "../../../platform/mail/index.ts";
import { type BillingDocument, type DocumentSettings, drawDocument, toUbl } from "../../documents/index.ts";
import { toCreditNoteDocument } from "./credit-note-document.ts";
import { toInvoiceDocument } from "./invoice-document.ts";

type Deps = { db: Database; documentSettings: DocumentSettings };

/** Returns a function that draws `invoice:<id>` and `credit_note:<id>` as PDF for messages, with the e-invoice beside it. */
export function createRenderAttachments(deps: Deps): RenderAttachments {
  return async (name) => {
    const [kind, id = ""] = name.split(":");
    const document = await findDocument(deps, kind, id);
    if (document === null) return [];
    const { number, ubl } = document;
    const content = await drawDocument(document);
    return [
      { filename: `${number}.pdf`, contentType: "application/pdf", content },
      ...(ubl ? [{ filename: `${number}.xml`, contentType: "text/xml", content: Buffer.from(toUbl(ubl)) }] : []),
    ];
  };
}

async function findDocument(deps: Deps, kind: string | undefined, id: string): Promise<BillingDocument | null> {
  if (kind === "invoice") return findInvoiceDocument(deps, id);
  return kind === "credit_note" ? findCreditNoteDocument(deps, id) : null;
}

async function findInvoiceDocument({ db, documentSettings }: Deps, id: string): Promise<BillingDocument | null> {
  const invoice = await db.selectFrom("invoices").selectAll().where("id", "=", id).executeTakeFirst();
  if (!invoice) return null;
  const notes = db.selectFrom("credit_notes").selectAll().where("invoice_id", "=", id);
  return toInvoiceDocument(invoice, await notes.orderBy("created_at").orderBy("number").execute(), documentSettings);
}

async function findCreditNoteDocument({ db, documentSettings }: Deps, id: string): Promise<BillingDocument | null> {
  const note = await db.selectFrom("credit_notes").selectAll().where("id", "=", id).executeTakeFirst();
  if (!note) return null;
  const invoices = db.selectFrom("invoices").selectAll().where("id", "=", note.invoice_id);
  return toCreditNoteDocument(note, await invoices.executeTakeFirstOrThrow(), documentSettings);
}
