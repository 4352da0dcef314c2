import type { Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { State, Tag } from "#/components/ui/bits.tsx";
import { Moment, Named } from "#/features/admin/cells.tsx";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import type { Filter } from "#/features/admin/list/list-params.ts";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { useList } from "#/features/admin/list/use-list.ts";
import { type AdminInvoice, invoicesQuery } from "#/features/admin/plans/queries.ts";
import { isRefundable, RefundDialog } from "#/features/admin/plans/refund-dialog.tsx";
import { menuColumn } from "#/features/admin/row-menu.tsx";
import { dollars } from "#/features/billing/money.ts";

const FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Number, name or e-mail` },
  {
    name: "status",
    label: t`State`,
    kind: "choice",
    options: [
      { value: "draft", label: t`Draft` },
      { value: "open", label: t`Open` },
      { value: "paid", label: t`Paid` },
      { value: "void", label: t`Void` },
      { value: "uncollectible", label: t`Uncollectible` },
    ],
  },
  { name: "organization_id", label: t`Organization`, kind: "text", placeholder: "org_…" },
];
const TIERS: Record<AdminInvoice["status"], string> = {
  draft: "offline",
  open: "loading",
  paid: "good",
  void: "offline",
  uncollectible: "bad",
};

const COLUMNS: Column<AdminInvoice>[] = [
  {
    head: t`Invoice`,
    cell: (invoice) => (
      <>
        <span className="mono whitespace-nowrap">{invoice.number}</span> {invoice.is_test ? <Tag>{t`test`}</Tag> : null}
        <div className="small dim stranger">{invoice.lines.map(({ description }) => description).join("; ")}</div>
      </>
    ),
  },
  { head: t`Billed to`, cell: ({ billed_to }) => <Named name={billed_to.name} below={billed_to.email} />, wide: true },
  { head: t`Written`, cell: ({ created_at }) => <Moment date={created_at} />, wide: true },
  { head: t`Total`, cell: ({ total_cents }) => dollars(total_cents), figure: true },
  {
    head: t`Given back`,
    cell: ({ refunded_cents }) => (refunded_cents === 0 ? "–" : dollars(refunded_cents)),
    figure: true,
    wide: true,
  },
  {
    head: t`State`,
    cell: ({ status }) => (
      <span className="small">
        <State tier={TIERS[status]}>{status}</State>
      </span>
    ),
  },
];

/** The invoices of all organizations, with refunds. */
export default function AdminInvoicesPage() {
  const list = useList(FILTERS);
  const query = { ...list.values, page: list.page, perPage: 50 } as Query<"admin.invoices.list">;
  const invoices = useQuery(invoicesQuery(query));
  const [refunding, setRefunding] = useState<AdminInvoice | null>(null);
  return (
    <>
      <ListPage
        title={t`Invoices`}
        about={t`Of all organizations, those of deleted ones too.`}
        list={list}
        query={invoices}
        columns={[
          ...COLUMNS,
          menuColumn(
            ({ number }: AdminInvoice) => number,
            (invoice) => [isRefundable(invoice) && { label: t`Give money back`, run: () => setRefunding(invoice) }],
          ),
        ]}
        idOf={({ id }) => id}
        empty={{ title: t`No invoices yet`, text: t`As soon as somebody pays for a plan or credits, it stands here.` }}
      />
      {refunding ? <RefundDialog invoice={refunding} close={() => setRefunding(null)} /> : null}
    </>
  );
}
