import { errors } from "../../../platform/core/errors/index.ts";
import type { Handlers } from "../../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../../platform/core/http/pagination.ts";
import { type BillingDocument, type DocumentSettings, documentPage, sendPage, sendPdf } from "../../documents/index.ts";
import { toCreditNoteDto } from "../billing.dto.ts";
import type { CreditNoteRow, CreditNotesRepository } from "../invoices/credit-notes.repository.ts";
import type { InvoicesRepository } from "../invoices/invoices.repository.ts";
import { toCreditNoteDocument } from "./credit-note-document.ts";
import { sendUbl } from "./e-invoices.ts";

type Billing = {
  creditNotesRepository: CreditNotesRepository;
  invoicesRepository: InvoicesRepository;
  documentSettings: DocumentSettings;
};

/** Routes of an organization's credit notes. */
export function creditNoteRoutes({ billing }: { billing: Billing }): Handlers {
  const { creditNotesRepository, documentSettings } = billing;
  return {
    "creditNotes.list": async ({ actor, query }) => {
      const { organizationId } = actor;
      const page = parsePage(query);
      const [rows, total] = await Promise.all([
        creditNotesRepository.list(organizationId, page.limit, page.offset),
        creditNotesRepository.count(organizationId),
      ]);
      return { items: rows.map(toCreditNoteDto), pagination: toPagination(page, total) };
    },
    "creditNotes.get": async ({ actor, path }) =>
      toCreditNoteDto(await getCreditNote(billing, actor.organizationId, path.id)),
    "creditNotes.page": async ({ actor, path, reply }) => {
      const document = await getDocument(billing, actor.organizationId, path.id);
      return sendPage(reply, `${document.number} - ${documentSettings.productName}`, documentPage(document));
    },
    "creditNotes.pdf": async ({ actor, path, reply }) =>
      sendPdf(reply, await getDocument(billing, actor.organizationId, path.id)),
    "creditNotes.xml": async ({ actor, path, reply }) =>
      sendUbl(reply, await getDocument(billing, actor.organizationId, path.id)),
  };
}

async function getCreditNote(
  { creditNotesRepository }: Billing,
  organizationId: string,
  id: string,
): Promise<CreditNoteRow> {
  const note = await creditNotesRepository.find(organizationId, id);
  if (!note) throw errors.creditNotes.notFound();
  return note;
}

async function getDocument(billing: Billing, organizationId: string, id: string): Promise<BillingDocument> {
  const { invoicesRepository, documentSettings } = billing;
  const note = await getCreditNote(billing, organizationId, id);
  const invoice = await invoicesRepository.find(organizationId, note.invoice_id);
  if (!invoice) throw errors.invoices.notFound();
  return toCreditNoteDocument(note, invoice, documentSettings);
}
