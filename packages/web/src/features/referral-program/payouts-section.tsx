import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Skeleton, Tag } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { Pager } from "#/components/ui/pager.tsx";
import { usd } from "#/features/billing/money.ts";
import { day } from "#/lib/format.ts";
import { payoutsQuery } from "./queries.ts";

/** Previous payouts. Renders nothing where there are none. */
export function PayoutsSection() {
  const [page, setPage] = useState(1);
  const payouts = useQuery(payoutsQuery(page));
  if (payouts.isError)
    return <ReadFault what={t`Your payouts`} error={payouts.error} again={() => void payouts.refetch()} />;
  if (payouts.data?.pagination.total_items === 0) return null;
  return (
    <section className="mt-8" aria-labelledby="payouts">
      <h2 className="h4" id="payouts">
        {t`Payouts`}
      </h2>
      {payouts.data ? (
        <>
          <table className="mt-2">
            <thead>
              <tr>
                <th>{t`Date`}</th>
                <th className="n">{t`Paid out`}</th>
              </tr>
            </thead>
            <tbody>
              {payouts.data.items.map((payout) => (
                <tr key={payout.id}>
                  <td className="num">
                    {day(payout.created_at)} {payout.is_test ? <Tag>{t`test`}</Tag> : null}
                  </td>
                  <td className="n">{usd(payout.amount_nano_usd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {payouts.data.pagination.total_pages > 1 ? (
            <Pager {...payouts.data.pagination} go={setPage} what={t`payouts`} top="payouts" />
          ) : null}
        </>
      ) : (
        <Skeleton height={64} />
      )}
    </section>
  );
}
