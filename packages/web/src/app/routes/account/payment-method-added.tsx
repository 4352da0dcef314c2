import { t } from "@lingui/core/macro";
import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { FaultNotice, ReadFault } from "#/components/ui/fault-notice.tsx";
import { paths } from "#/config/paths.ts";
import { createAfterCard } from "#/features/billing/after-card.ts";
import { CardTable } from "#/features/billing/card-table.tsx";
import { BarrierNote, TestNote } from "#/features/billing/notes.tsx";
import { useBilling } from "#/features/billing/permission.ts";
import { useCards } from "#/features/billing/use-cards.ts";

/** Where the bank redirects to after a card was added. */
export default function PaymentMethodAddedPage() {
  const { sees, barrier } = useBilling();
  const { cards, error, busy, makeDefault, remove } = useCards(sees);
  const [next] = useState(() => createAfterCard().read());
  useEffect(() => createAfterCard().forget(), []);
  const mayChange = sees && barrier === null;
  const goesOn = next !== null && next !== paths.paymentMethods;
  const items = cards.data?.items;
  const isThere = items !== undefined && items.length > 0;
  return (
    <>
      <h1 className="h2">{items && !isThere ? t`No card was added` : t`Payment method added`}</h1>
      <BarrierNote barrier={barrier} />
      {isThere ? (
        <p className="mid mt-2">
          {goesOn
            ? t`Your bank has agreed. Go on where you were, with the new card.`
            : t`Your bank has agreed. Choose below which card pays; the others are in store.`}
        </p>
      ) : items ? (
        <p className="mid mt-2">{t`There is no card here. Perhaps it was removed meanwhile, or the bank did not agree.`}</p>
      ) : null}
      {items?.some(({ is_test }) => is_test) ? <TestNote /> : null}
      <FaultNotice error={error} />
      {!sees ? null : cards.isError ? (
        <ReadFault what={t`The cards`} error={cards.error} again={() => void cards.refetch()} />
      ) : items === undefined ? (
        <div className="mt-5" aria-busy="true">
          <span className="visually-hidden">{t`Loading the cards`}</span>
          <Skeleton height={120} />
        </div>
      ) : isThere ? (
        <div className="mt-5">
          <CardTable cards={items} busy={busy} actions={mayChange ? { makeDefault, remove } : undefined} />
        </div>
      ) : null}
      <div className="row wraps mt-6">
        {goesOn ? (
          <Link className="btn primary" to={next}>
            {t`Go on with the change of plan`}
          </Link>
        ) : (
          <Link className="btn primary" to={paths.account}>
            {t`See the plan`}
          </Link>
        )}
        <Link className="btn" to={paths.paymentMethods}>
          {t`Payment methods`}
        </Link>
      </div>
    </>
  );
}
