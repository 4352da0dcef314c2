import type { Invoice } from "@feather/sdk";
import { formatMoney } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatDay, formatRfc3339 } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";

const FIELDS = [
  "id",
  "number",
  "status",
  "subtotal_cents",
  "discount_cents",
  "tax_cents",
  "total_cents",
  "refunded_cents",
  "period_start_date",
  "period_end_date",
  "is_test",
  "created_at",
  "paid_at",
] as const satisfies readonly (keyof Invoice)[];

/** Lists the organization's invoices, newest first. */
export const invoicesList: Command<Paging> = {
  name: "invoices list",
  summary: "List the organization's invoices, newest first",
  prints: "list",
  fields: FIELDS,
  paged: true,
  needs: "sign-in",
  examples: ["feather invoices list", "feather invoices list --all --csv"],
  options: (_, flags) => parsePaging(flags),
  async run({ client, output, signal }, paging) {
    const { invoices } = await client();
    const response = await readPages(paging, (page) => invoices.list(page, { signal }));
    const empty = "There are no invoices yet.";
    output.printList({ columns: COLUMNS, id: ({ id }) => id, noun: "invoices", empty }, response.items, response);
  },
};

const COLUMNS: readonly Column<Invoice>[] = [
  { header: "NUMBER", cell: ({ number }) => number, paint: (text, style) => style.bold(text) },
  { header: "STATE", cell: ({ status }) => status },
  {
    header: "TOTAL",
    cell: ({ total_cents, currency }) => formatMoney(total_cents, currency),
    plain: ({ total_cents }) => String(total_cents),
    align: "right",
  },
  {
    header: "GIVEN BACK",
    cell: ({ refunded_cents, currency }) => (refunded_cents === 0 ? "" : formatMoney(refunded_cents, currency)),
    plain: ({ refunded_cents }) => String(refunded_cents),
    align: "right",
    dropOrder: 2,
  },
  {
    header: "DATE",
    cell: ({ created_at }) => formatDay(created_at),
    plain: ({ created_at }) => formatRfc3339(created_at),
    dropOrder: 3,
  },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
];
