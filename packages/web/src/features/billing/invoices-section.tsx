import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Skeleton, State, Tag } from "#/components/ui/bits.tsx";
import { FaultNotice, ReadFault } from "#/components/ui/fault-notice.tsx";
import { Pager } from "#/components/ui/pager.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { feather } from "#/lib/feather.ts";
import { day } from "#/lib/format.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import { dollars } from "./money.ts";
import { invoicesQuery, useBillingRefresh } from "./queries.ts";

type Invoice = Schemas["Invoice"];
type Props = { page: number; go(page: number): void; mayChange: boolean };

const STATES: Record<Invoice["status"], { tier: string; word: string }> = {
  draft: { tier: "cold", word: t`draft` },
  open: { tier: "bad", word: t`to be paid` },
  paid: { tier: "good", word: t`paid` },
  void: { tier: "cold", word: t`void` },
  uncollectible: { tier: "cold", word: t`given up` },
};

/** The organization's invoices, newest first, each with a printable page. */
export function InvoicesSection({ page, go, mayChange }: Props) {
  const toast = useToast();
  const client = useQueryClient();
  const { changed } = useBillingRefresh();
  const invoices = useQuery(invoicesQuery(page));
  const payment = useAttempt((id: string, options) => feather.invoices.pay(id, options));

  async function pay({ id, number }: Invoice): Promise<void> {
    const paid = await payment.run(id);
    if (!paid) return;
    // Updated at once, so that nobody pays twice while the list is refetched.
    client.setQueryData(invoicesQuery(page).queryKey, (list) =>
      list ? { ...list, items: list.items.map((item) => (item.id === id ? paid.value : item)) } : list,
    );
    await changed();
    toast({ title: t`${number} is paid`, variant: "success" });
  }

  return (
    <section className="mt-8" aria-labelledby="invoices">
      <h2 className="h4" id="invoices">
        {t`Invoices`}
      </h2>
      <FaultNotice error={payment.error} />
      {invoices.isError ? (
        <ReadFault what={t`Invoices`} error={invoices.error} again={() => void invoices.refetch()} />
      ) : invoices.data === undefined ? (
        <Skeleton height={96} />
      ) : invoices.data.items.length === 0 ? (
        <p className="mid mt-2">{t`None yet. There is one for each payment, with a page to print or keep.`}</p>
      ) : (
        <>
          <InvoiceTable
            items={invoices.data.items}
            busy={payment.busy}
            {...(mayChange && { pay: (invoice: Invoice) => void pay(invoice) })}
          />
          {invoices.data.pagination.total_pages > 1 ? (
            <Pager {...invoices.data.pagination} go={go} what={t`invoices`} />
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
          <th className="w">{t`For`}</th>
          <th className="n">{t`Total`}</th>
          <th>{t`State`}</th>
          <th className="w">{t`Date`}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((invoice) => (
          <tr key={invoice.id}>
            <td>
              <a
                className="link num"
                href={`/api/invoices/${encodeURIComponent(invoice.id)}/page`}
                target="_blank"
                rel="noreferrer"
              >
                {invoice.number}
              </a>{" "}
              {invoice.is_test ? <Tag>{t`test`}</Tag> : null}
            </td>
            <td className="w mid stranger">{invoice.lines.at(-1)?.description ?? "–"}</td>
            <td className="n">
              {dollars(invoice.total_cents)}
              {invoice.refunded_cents > 0 ? (
                <span className="small dim">
                  {" "}
                  <Trans>{dollars(invoice.refunded_cents)} given back</Trans>
                </span>
              ) : null}
            </td>
            <td className="small">
              <span className="row">
                <State tier={STATES[invoice.status].tier}>{STATES[invoice.status].word}</State>
                {pay && invoice.status === "open" ? (
                  <button type="button" className="btn" disabled={busy} onClick={() => pay(invoice)}>
                    {busy ? t`Paying …` : t`Pay ${dollars(invoice.total_cents)}`}
                  </button>
                ) : null}
              </span>
            </td>
            <td className="w num mid">{day(invoice.created_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
