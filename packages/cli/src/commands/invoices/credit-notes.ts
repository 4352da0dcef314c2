import type { CreditNote } from "@feather/sdk";
import { formatMoney } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatDay, formatRfc3339 } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";

const FIELDS = [
  "id",
  "number",
  "invoice_id",
  "tax_cents",
  "total_cents",
  "is_test",
  "created_at",
  "withdrawn_at",
] as const satisfies readonly (keyof CreditNote)[];

/** Lists the credit notes about refunds, newest first. */
export const invoicesCreditNotes: Command<Paging> = {
  name: "invoices credit-notes",
  summary: "List the credit notes about refunds, newest first",
  prints: "list",
  fields: FIELDS,
  paged: true,
  needs: "sign-in",
  examples: ["feather invoices credit-notes", "feather invoices credit-notes --all --csv"],
  options: (_, flags) => parsePaging(flags),
  async run({ client, output, signal }, paging) {
    const { creditNotes } = await client();
    const response = await readPages(paging, (page) => creditNotes.list(page, { signal }));
    const empty = "There are no credit notes yet.";
    output.printList({ columns: COLUMNS, id: ({ id }) => id, noun: "credit notes", empty }, response.items, response);
  },
};

const COLUMNS: readonly Column<CreditNote>[] = [
  { header: "NUMBER", cell: ({ number }) => number, paint: (text, style) => style.bold(text) },
  {
    header: "GIVEN BACK",
    cell: ({ total_cents, currency, withdrawn_at }) =>
      withdrawn_at === null ? formatMoney(total_cents, currency) : "withdrawn",
    plain: ({ total_cents, withdrawn_at }) => (withdrawn_at === null ? String(total_cents) : "0"),
    align: "right",
  },
  {
    header: "DATE",
    cell: ({ created_at }) => formatDay(created_at),
    plain: ({ created_at }) => formatRfc3339(created_at),
    dropOrder: 3,
  },
  { header: "INVOICE", cell: ({ invoice_id }) => invoice_id, dropOrder: 2 },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
];
