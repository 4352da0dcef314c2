import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { formatIsoDay } from "#/lib/format.ts";
import { payoutsQuery } from "./queries.ts";

/** Previous payouts. Renders nothing where there are none. */
export function PayoutsSection() {
  const [page, setPage] = useState(1);
  const payouts = useQuery(payoutsQuery(page));
  if (payouts.isError)
    return <LoadError subject={t`Your payouts`} error={payouts.error} retry={() => void payouts.refetch()} />;
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
                <th className="numeric">{t`Paid out`}</th>
              </tr>
            </thead>
            <tbody>
              {payouts.data.items.map((payout) => (
                <tr key={payout.id}>
                  <td className="num">
                    {formatIsoDay(payout.created_at)} {payout.is_test ? <Tag>{t`test`}</Tag> : null}
                  </td>
                  <td className="numeric">{formatNanoUsd(payout.amount_nano_usd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {payouts.data.pagination.total_pages > 1 ? (
            <Pager {...payouts.data.pagination} goToPage={setPage} label={t`payouts`} scrollTargetId="payouts" />
          ) : null}
        </>
      ) : (
        <Skeleton height={64} />
      )}
    </section>
  );
}
