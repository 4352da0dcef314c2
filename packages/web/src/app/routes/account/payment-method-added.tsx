import { can, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { cardsQuery } from "#/entities/billing/queries.ts";
import { ReadOnlyNote } from "#/entities/billing/read-only-note.tsx";
import { TestNote } from "#/entities/billing/test-note.tsx";
import { useBillingPermission } from "#/entities/billing/use-billing-permission.ts";
import { createCardReturnPath } from "#/features/billing/cards/card-return-path.ts";
import { CardTable } from "#/features/billing/cards/card-table.tsx";
import { useCards } from "#/features/billing/cards/use-cards.ts";
import { usePendingCard } from "#/features/billing/cards/use-pending-card.ts";

/** Where the bank or the payment service redirects to after a card was added. */
export default function PaymentMethodAddedPage() {
  const { canView, readOnlyReason } = useBillingPermission();
  const { cards, error, busy, makeDefault, remove } = useCards(canView);
  const [next] = useState(() => createCardReturnPath().read());
  const pending = usePendingCard(canView && readOnlyReason === null, () => cards.refetch());
  useEffect(() => createCardReturnPath().clear(), []);
  const mayChange = canView && readOnlyReason === null;
  const hasNextPage = next !== null && next !== paths.paymentMethods;
  const items = cards.data?.items;
  const hasCards = items !== undefined && items.length > 0;
  return (
    <>
      <h1 className="h2">
        {pending.isBusy ? t`Adding the card` : items && !hasCards ? t`No card was added` : t`Payment method added`}
      </h1>
      <ReadOnlyNote readOnlyReason={readOnlyReason} />
      {pending.isBusy ? null : hasCards ? (
        <p className="muted mt-2">
          {hasNextPage
            ? t`Your bank has agreed. Go on where you were, with the new card.`
            : t`Your bank has agreed. Choose below which card pays; the others are kept for later.`}
        </p>
      ) : items ? (
        <p className="muted mt-2">{t`There is no card here. Perhaps it was removed meanwhile, or the bank did not agree.`}</p>
      ) : null}
      {items?.some(({ is_test }) => is_test) ? <TestNote /> : null}
      <ErrorNotice error={error ?? pending.error} />
      {!canView ? null : cards.isError ? (
        <LoadError subject={t`The cards`} error={cards.error} retry={() => void cards.refetch()} />
      ) : items === undefined || pending.isBusy ? (
        <div className="mt-5" aria-busy="true">
          <span className="visually-hidden">{t`Loading the cards`}</span>
          <Skeleton height={120} />
        </div>
      ) : hasCards ? (
        <div className="mt-5">
          <CardTable cards={items} busy={busy} actions={mayChange ? { makeDefault, remove } : undefined} />
        </div>
      ) : null}
      <div className="row wrapping mt-6">
        {hasNextPage ? (
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

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, _: PageLocation, user: User | null): Promise<void> {
  if (user && can(user, "manage_billing")) await client.prefetchQuery(cardsQuery);
}
