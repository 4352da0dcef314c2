import type { CreditBalanceWithTransactions } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { creditsQuery } from "#/entities/billing/queries.ts";
import { formatNanoUsd, formatSignedNanoUsd, isZero } from "#/entities/money/money.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import billingStyles from "../billing.module.css";
import { AutoTopUpStatus } from "./auto-top-up-status.tsx";
import styles from "./credits-section.module.css";
import { TopUpDialog } from "./top-up-dialog.tsx";

type Props = { page: number; goToPage(page: number): void; mayChange: boolean };

const TRANSACTION_LABELS = {
  top_up: t`bought`,
  usage: t`used`,
  grant: t`given`,
  reward: t`reward`,
  refund: t`given back`,
  plan: t`with the plan`,
  adjustment: t`put right`,
  metering: t`metered`,
  dispute: t`disputed`,
} as const;

/** Prepaid credits: balance, top-up and transactions. */
export function CreditsSection({ page, goToPage, mayChange }: Props) {
  const [buying, setBuying] = useState(false);
  const credits = useQuery(creditsQuery(page));
  return (
    <section className="mt-8" aria-labelledby="credits">
      <div className="row between wrapping">
        <h2 className={`h4 ${billingStyles.target}`} id="credits">
          {t`Credits`}
        </h2>
        {mayChange ? (
          <button type="button" className="btn" onClick={() => setBuying(true)}>
            {t`Buy credits`}
          </button>
        ) : null}
      </div>
      {credits.isError ? (
        <LoadError subject={t`Credits`} error={credits.error} retry={() => void credits.refetch()} />
      ) : (
        <>
          <Balance credits={credits.data} />
          <AutoTopUpStatus mayChange={mayChange} />
          <Transactions credits={credits.data} />
          {credits.data && credits.data.transactions.pagination.total_pages > 1 ? (
            <Pager {...credits.data.transactions.pagination} goToPage={goToPage} label={t`credit movements`} />
          ) : null}
        </>
      )}
      <TopUpDialog open={buying} close={() => setBuying(false)} />
    </section>
  );
}

function Balance({ credits }: { credits: CreditBalanceWithTransactions | undefined }) {
  return (
    <div className="mt-3">
      <p className={`${styles.figure} num`}>
        {credits ? formatNanoUsd(credits.available_nano_usd) : <Skeleton width={110} height={32} />}
      </p>
      <p className="small faint num">
        {credits && !isZero(credits.reserved_nano_usd)
          ? t`ready to use; ${formatNanoUsd(credits.reserved_nano_usd)} set aside for requests that run now`
          : t`ready to use. Plans priced by the request pay from it; others do not touch it.`}
      </p>
    </div>
  );
}

function Transactions({ credits }: { credits: CreditBalanceWithTransactions | undefined }) {
  if (!credits) return <Skeleton height={96} />;
  const { items } = credits.transactions;
  if (items.length === 0)
    return (
      <p className="muted mt-4">{t`Nothing moved yet. What is bought, earned or used stands here, one line each.`}</p>
    );
  return (
    <table className="mt-4">
      <thead>
        <tr>
          <th>{t`When`}</th>
          <th>{t`What`}</th>
          <th>{t`For`}</th>
          <th className="numeric">{t`Amount`}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, created_at, kind, description, amount_nano_usd }) => (
          <tr key={id}>
            <td className="num muted">
              <time dateTime={created_at.toISOString()} title={created_at.toISOString()}>
                {formatRelativeTime(created_at)}
              </time>
            </td>
            <td>{TRANSACTION_LABELS[kind]}</td>
            <td className="muted user-text">{description}</td>
            <td className="numeric">{formatSignedNanoUsd(amount_nano_usd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
