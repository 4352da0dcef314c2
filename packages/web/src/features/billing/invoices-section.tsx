import type { Invoice } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { DISPUTE_STATUS, INVOICE_STATUS } from "#/entities/billing/invoice-status.ts";
import { invoicesQuery, useBillingRefresh } from "#/entities/billing/queries.ts";
import { formatMoney } from "#/entities/money/money.ts";
import { feather } from "#/lib/feather.ts";
import { formatIsoDay } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";
import billingStyles from "./billing.module.css";
import { DocumentLinks } from "./document-links.tsx";

type Props = { page: number; goToPage(page: number): void; mayChange: boolean };

/** The organization's invoices, newest first, each with a printable page and a PDF. */
export function InvoicesSection({ page, goToPage, mayChange }: Props) {
  const { refreshBilling } = useBillingRefresh();
  const invoices = useQuery(invoicesQuery(page));
  const payment = useAction(({ id }: Invoice, options) => feather.invoices.pay(id, options), {
    showsError: true,
    success: (_, { number }) => t`${number} is paid`,
    async onSuccess(paid, { id }, client) {
      // Updated at once, so that the user does not pay twice while the list is refetched.
      client.setQueryData(invoicesQuery(page).queryKey, (list) =>
        list ? { ...list, items: list.items.map((item) => (item.id === id ? paid : item)) } : list,
      );
      await refreshBilling();
    },
  });

  return (
    <section className="mt-8" aria-labelledby="invoices">
      <h2 className={`h4 ${billingStyles.target}`} id="invoices">
        {t`Invoices`}
      </h2>
      <ErrorNotice error={payment.error} />
      {invoices.isError ? (
        <LoadError subject={t`Invoices`} error={invoices.error} retry={() => void invoices.refetch()} />
      ) : invoices.data === undefined ? (
        <Skeleton height={96} />
      ) : invoices.data.items.length === 0 ? (
        <p className="muted mt-2">{t`None yet. There is one for each payment, with a PDF to keep.`}</p>
      ) : (
        <>
          <InvoiceTable
            items={invoices.data.items}
            busy={payment.busy}
            {...(mayChange && { pay: (invoice: Invoice) => void payment.run(invoice) })}
          />
          {invoices.data.pagination.total_pages > 1 ? (
            <Pager {...invoices.data.pagination} goToPage={goToPage} label={t`invoices`} />
          ) : null}
        </>
      )}
    </section>
  );
}

type TableProps = { items: readonly Invoice[]; busy: boolean; pay?(invoice: Invoice): void };

function InvoiceTable({ items, busy, pay }: TableProps) {
  return (
    <table className="mt-2">
      <thead>
        <tr>
          <th>{t`Invoice`}</th>
          <th className="wide-only">{t`For`}</th>
          <th className="numeric">{t`Total`}</th>
          <th>{t`State`}</th>
          <th className="wide-only">{t`Date`}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((invoice) => (
          <tr key={invoice.id}>
            <td>
              <DocumentLinks
                path={`/api/invoices/${encodeURIComponent(invoice.id)}`}
                number={invoice.number}
                hasXml={invoice.e_invoice === "ubl" || invoice.e_invoice === "xrechnung"}
              />{" "}
              {invoice.is_test ? <Tag>{t`test`}</Tag> : null}
            </td>
            <td className="wide-only muted user-text">{invoice.lines.at(-1)?.description ?? "–"}</td>
            <td className="numeric">
              {formatMoney(invoice.total_cents, invoice.currency)}
              {invoice.refunded_cents > 0 ? (
                <span className="small faint">
                  {" "}
                  <Trans>{formatMoney(invoice.refunded_cents, invoice.currency)} given back</Trans>
                </span>
              ) : null}
            </td>
            <td className="small">
              <span className="row">
                <StateBadge tier={INVOICE_STATUS[invoice.status].tier}>
                  {INVOICE_STATUS[invoice.status].label}
                </StateBadge>
                {invoice.dispute ? (
                  <StateBadge tier={DISPUTE_STATUS[invoice.dispute.status].tier}>
                    {DISPUTE_STATUS[invoice.dispute.status].label}
                  </StateBadge>
                ) : null}
                {pay && invoice.status === "open" ? (
                  <button type="button" className="btn" disabled={busy} onClick={() => pay(invoice)}>
                    {busy ? t`Paying …` : t`Pay ${formatMoney(invoice.total_cents, invoice.currency)}`}
                  </button>
                ) : null}
              </span>
            </td>
            <td className="wide-only num muted">{formatIsoDay(invoice.created_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
