import type { Result } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { Pager } from "#/components/ui/pager.tsx";
import { moment } from "#/lib/format.ts";
import { isZero, movement, usd } from "./money.ts";
import { creditsQuery } from "./queries.ts";
import { TopUpDialog } from "./top-up-dialog.tsx";

type Props = { page: number; go(page: number): void; mayChange: boolean };
type Credits = Result<"usage.credits">;

const KINDS = {
  top_up: t`bought`,
  usage: t`used`,
  grant: t`given`,
  reward: t`reward`,
  refund: t`given back`,
  plan: t`with the plan`,
  adjustment: t`put right`,
} as const;

/** Prepaid credits: balance, top-up and transactions. */
export function CreditsSection({ page, go, mayChange }: Props) {
  const [buying, setBuying] = useState(false);
  const credits = useQuery(creditsQuery(page));
  return (
    <section className="mt-8" aria-labelledby="credits">
      <div className="row between wraps">
        <h2 className="h4" id="credits">
          {t`Credits`}
        </h2>
        {mayChange ? (
          <button type="button" className="btn" onClick={() => setBuying(true)}>
            {t`Buy credits`}
          </button>
        ) : null}
      </div>
      {credits.isError ? (
        <ReadFault what={t`Credits`} error={credits.error} again={() => void credits.refetch()} />
      ) : (
        <>
          <Balance credits={credits.data} />
          <Movements credits={credits.data} />
          {credits.data && credits.data.transactions.pagination.total_pages > 1 ? (
            <Pager {...credits.data.transactions.pagination} go={go} what={t`credit movements`} />
          ) : null}
        </>
      )}
      <TopUpDialog open={buying} close={() => setBuying(false)} />
    </section>
  );
}

function Balance({ credits }: { credits: Credits | undefined }) {
  return (
    <div className="mt-3">
      <p className="figure num">{credits ? usd(credits.available_nano_usd) : <Skeleton width={110} height={32} />}</p>
      <p className="small dim num">
        {credits && !isZero(credits.reserved_nano_usd)
          ? t`ready to use; ${usd(credits.reserved_nano_usd)} set aside for requests that run now`
          : t`ready to use. Plans priced by the request pay from it; others do not touch it.`}
      </p>
    </div>
  );
}

function Movements({ credits }: { credits: Credits | undefined }) {
  if (!credits) return <Skeleton height={96} />;
  const { items } = credits.transactions;
  if (items.length === 0)
    return (
      <p className="mid mt-4">{t`Nothing moved yet. What is bought, earned or used stands here, one line each.`}</p>
    );
  return (
    <table className="mt-4">
      <thead>
        <tr>
          <th>{t`When`}</th>
          <th>{t`What`}</th>
          <th>{t`For`}</th>
          <th className="n">{t`Amount`}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, created_at, kind, description, amount_nano_usd }) => (
          <tr key={id}>
            <td className="num mid">
              <time dateTime={created_at.toISOString()} title={created_at.toISOString()}>
                {moment(created_at)}
              </time>
            </td>
            <td>{KINDS[kind]}</td>
            <td className="mid stranger">{description}</td>
            <td className="n">{movement(amount_nano_usd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
