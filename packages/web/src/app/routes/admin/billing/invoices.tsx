import type { AdminInvoice, Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PageLocation } from "#/app/page-module.ts";
import { ListPage } from "#/components/list/list-page.tsx";
import { type Filter, type ListValues, readList } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { DISPUTE_STATUS } from "#/entities/billing/invoice-status.ts";
import { VAT_ID_STATES } from "#/entities/billing/vat-id-states.ts";
import { formatMoney } from "#/entities/money/money.ts";
import { DunningSection } from "#/features/admin/mails/dunning-section.tsx";
import { NameWithDetail } from "#/features/admin/name-with-detail.tsx";
import { AccountingExport } from "#/features/admin/plans/accounting-export.tsx";
import { invoicesQuery } from "#/features/admin/plans/queries.ts";
import { isRefundable, RefundDialog } from "#/features/admin/plans/refund-dialog.tsx";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { settingsQuery } from "#/features/admin/system/queries.ts";

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
  {
    name: "dispute",
    label: t`Dispute`,
    kind: "choice",
    options: [
      { value: "open", label: t`Open` },
      { value: "won", label: t`Won` },
      { value: "lost", label: t`Lost` },
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
    header: t`Invoice`,
    cell: (invoice) => (
      <>
        <span className="mono whitespace-nowrap">{invoice.number}</span> {invoice.is_test ? <Tag>{t`test`}</Tag> : null}
        <div className="small faint user-text">{invoice.lines.map(({ description }) => description).join("; ")}</div>
      </>
    ),
  },
  {
    header: t`Billed to`,
    cell: ({ billed_to, vat_id_check }) => (
      <>
        <NameWithDetail name={billed_to.name} detail={billed_to.email} />
        {vat_id_check === null || vat_id_check.state === "unchecked" ? null : (
          <div className="small">
            <StateBadge tier={VAT_ID_STATES[vat_id_check.state].tier}>
              {VAT_ID_STATES[vat_id_check.state].label}
            </StateBadge>
          </div>
        )}
      </>
    ),
    hideWhenNarrow: true,
  },
  { header: t`Written`, cell: ({ created_at }) => <RelativeTime date={created_at} />, hideWhenNarrow: true },
  { header: t`Total`, cell: ({ total_cents, currency }) => formatMoney(total_cents, currency), isNumeric: true },
  {
    header: t`Given back`,
    cell: ({ refunded_cents, currency }) => (refunded_cents === 0 ? "–" : formatMoney(refunded_cents, currency)),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`State`,
    cell: ({ status, dispute, total_cents, currency }) => (
      <span className="small row wrapping">
        <StateBadge tier={TIERS[status]}>{status}</StateBadge>
        {dispute ? (
          <StateBadge tier={DISPUTE_STATUS[dispute.status].tier}>
            {DISPUTE_STATUS[dispute.status].label}
            {dispute.amount_cents === total_cents ? "" : ` ${formatMoney(dispute.amount_cents, currency)}`}
          </StateBadge>
        ) : null}
      </span>
    ),
  },
];

const toQuery = ({ values, page }: ListValues) => ({ ...values, page, perPage: 50 }) as Query<"admin.invoices.list">;

/** The invoices of all organizations, with refunds. */
export default function AdminInvoicesPage() {
  const list = useListState(FILTERS);
  const invoices = useQuery(invoicesQuery(toQuery(list)));
  const [refunding, setRefunding] = useState<AdminInvoice | null>(null);
  return (
    <>
      <ListPage
        title={t`Invoices`}
        description={t`Of all organizations, those of deleted ones too.`}
        list={list}
        query={invoices}
        columns={[
          ...COLUMNS,
          createMenuColumn(
            ({ number }: AdminInvoice) => number,
            (invoice) => [isRefundable(invoice) && { label: t`Give money back`, run: () => setRefunding(invoice) }],
          ),
        ]}
        idOf={({ id }) => id}
        empty={{ title: t`No invoices yet`, text: t`As soon as somebody pays for a plan or credits, it stands here.` }}
      >
        <AccountingExport today={new Date()} />
        <DunningSection />
      </ListPage>
      {refunding ? <RefundDialog invoice={refunding} close={() => setRefunding(null)} /> : null}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { search }: PageLocation): Promise<unknown> =>
  Promise.all([
    client.prefetchQuery(invoicesQuery(toQuery(readList(search, FILTERS)))),
    client.prefetchQuery(settingsQuery),
  ]);
