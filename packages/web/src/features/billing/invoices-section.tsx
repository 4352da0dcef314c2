import type { Schemas } from "@feather/sdk";
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
  draft: { tier: "cold", word: "draft" },
  open: { tier: "bad", word: "to be paid" },
  paid: { tier: "good", word: "paid" },
  void: { tier: "cold", word: "void" },
  uncollectible: { tier: "cold", word: "given up" },
};

/** Invoices, newest first, each with its page to print. */
export function InvoicesSection({ page, go, mayChange }: Props) {
  const toast = useToast();
  const client = useQueryClient();
  const { changed } = useBillingRefresh();
  const invoices = useQuery(invoicesQuery(page));
  const payment = useAttempt((id: string, options) => feather.invoices.pay(id, options));

  async function pay({ id, number }: Invoice): Promise<void> {
    const paid = await payment.run(id);
    if (!paid) return;
    // At once, so that nobody pays twice while the list is read anew.
    client.setQueryData(invoicesQuery(page).queryKey, (list) =>
      list ? { ...list, items: list.items.map((item) => (item.id === id ? paid.value : item)) } : list,
    );
    await changed();
    toast({ title: `${number} is paid`, variant: "success" });
  }

  return (
    <section className="mt-8" aria-labelledby="invoices">
      <h2 className="h4" id="invoices">
        Invoices
      </h2>
      <FaultNotice error={payment.error} />
      {invoices.isError ? (
        <ReadFault what="Invoices" error={invoices.error} again={() => void invoices.refetch()} />
      ) : invoices.data === undefined ? (
        <Skeleton height={96} />
      ) : invoices.data.items.length === 0 ? (
        <p className="mid mt-2">None yet. There is one for each payment, with a page to print or keep.</p>
      ) : (
        <>
          <InvoiceTable
            items={invoices.data.items}
            busy={payment.busy}
            {...(mayChange && { pay: (invoice: Invoice) => void pay(invoice) })}
          />
          {invoices.data.pagination.total_pages > 1 ? (
            <Pager {...invoices.data.pagination} go={go} what="invoices" />
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
          <th>Invoice</th>
          <th className="w">For</th>
          <th className="n">Total</th>
          <th>State</th>
          <th className="w">Date</th>
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
              {invoice.is_test ? <Tag>test</Tag> : null}
            </td>
            <td className="w mid stranger">{invoice.lines.at(-1)?.description ?? "–"}</td>
            <td className="n">
              {dollars(invoice.total_cents)}
              {invoice.refunded_cents > 0 ? (
                <span className="small dim"> {dollars(invoice.refunded_cents)} given back</span>
              ) : null}
            </td>
            <td className="small">
              <span className="row">
                <State tier={STATES[invoice.status].tier}>{STATES[invoice.status].word}</State>
                {pay && invoice.status === "open" ? (
                  <button type="button" className="btn" disabled={busy} onClick={() => pay(invoice)}>
                    {busy ? "Paying …" : `Pay ${dollars(invoice.total_cents)}`}
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
