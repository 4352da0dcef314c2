import type { AdminInvoice, Query } from "@feather/sdk";
import { formatMoney } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { optionalText } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { formatDay, formatRfc3339 } from "../../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";

type Filter = Query<"admin.invoices.list">;

const STATES = ["draft", "open", "paid", "void", "uncollectible"] as const satisfies readonly Filter["status"][];
const DISPUTES = ["open", "won", "lost"] as const satisfies readonly Filter["dispute"][];
const FIELDS = [
  "id",
  "number",
  "status",
  "total_cents",
  "refunded_cents",
  "dispute",
  "reverse_charge",
  "vat_id_check",
  "organization_id",
  "period_start_date",
  "period_end_date",
  "is_test",
  "created_at",
  "paid_at",
] as const satisfies readonly (keyof AdminInvoice)[];

/** Lists the invoices of all organizations, newest first. */
export const invoicesList: Command<Filter & { readonly paging: Paging }> = {
  name: "admin invoices list",
  summary: "List invoices of all organizations",
  prints: "list",
  fields: FIELDS,
  paged: true,
  needs: "admin",
  flags: [
    { name: "--search <text>", summary: "part of a number, a name or an e-mail" },
    { name: "--state <state>", summary: "those in this state", choices: STATES },
    { name: "--dispute <outcome>", summary: "those that are disputed, with this outcome", choices: DISPUTES },
    { name: "--organization <id>", summary: "those of this organization" },
  ],
  examples: ["feather admin invoices list --search maria@example.com", "feather admin invoices list --state open -q"],
  options: (_, flags) => {
    const status = STATES.find((one) => one === flags.state);
    const dispute = DISPUTES.find((one) => one === flags.dispute);
    const { organization } = optionalText("organization", flags.organization);
    return {
      ...optionalText("search", flags.search),
      ...(status !== undefined && { status }),
      ...(dispute !== undefined && { dispute }),
      ...(organization !== undefined && { organization_id: organization }),
      paging: parsePaging(flags),
    };
  },
  async run({ client, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.invoices.list({ ...query, ...page }, { signal }));
    const empty = "No invoice fits.";
    output.printList({ columns: COLUMNS, id: ({ id }) => id, noun: "invoices", empty }, response.items, response);
  },
};

const COLUMNS: readonly Column<AdminInvoice>[] = [
  { header: "NUMBER", cell: ({ number }) => number, paint: (text, style) => style.bold(text) },
  { header: "TO", cell: ({ billed_to }) => billed_to.email, dropOrder: 3 },
  {
    header: "STATE",
    cell: ({ status, dispute }) => (dispute ? `${status}, dispute ${dispute.status}` : status),
    plain: ({ status }) => status,
  },
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
    dropOrder: 4,
  },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
];
