import { can, type PaymentMethod, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PageLocation } from "#/app/page-module.ts";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { cardsQuery } from "#/entities/billing/queries.ts";
import { ReadOnlyNote } from "#/entities/billing/read-only-note.tsx";
import { TestNote } from "#/entities/billing/test-note.tsx";
import { useBillingPermission } from "#/entities/billing/use-billing-permission.ts";
import { AddCard } from "#/features/billing/cards/add-card.tsx";
import { CardTable } from "#/features/billing/cards/card-table.tsx";
import { formatCardName } from "#/features/billing/cards/cards.ts";
import { StripePortalSection } from "#/features/billing/cards/stripe-portal-section.tsx";
import { useCards } from "#/features/billing/cards/use-cards.ts";
import { useStripeDocument } from "#/features/billing/cards/use-stripe-document.ts";
import { useStripePortal } from "#/lib/site-config.ts";
import { useToast } from "#/lib/toast.ts";
import styles from "./payment-methods.module.css";

/** The cards of the organization: add, remove and choose the default. */
export default function PaymentMethodsPage() {
  const toast = useToast();
  useStripeDocument();
  const { canView, readOnlyReason } = useBillingPermission();
  const [adding, setAdding] = useState(false);
  const { cards, error, busy, makeDefault, remove } = useCards(canView);
  const hasStripePortal = useStripePortal();
  const mayChange = canView && readOnlyReason === null;
  const items = cards.data?.items;
  const isEmpty = items?.length === 0;
  const open = () => setAdding(true);

  async function added(card: PaymentMethod): Promise<void> {
    setAdding(false);
    toast({ title: t`${formatCardName(card)} is added`, variant: "success" });
    await cards.refetch();
  }

  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2">{t`Payment methods`}</h1>
        {mayChange && items && !isEmpty && !adding ? (
          <button type="button" className="btn primary" onClick={open}>
            {t`Add a card`}
          </button>
        ) : null}
      </div>
      <p className={`muted mt-2 ${styles.intro}`}>
        {t`Cards for the plan and credits. One of them pays; the others are kept for later.`}
      </p>
      <ReadOnlyNote readOnlyReason={readOnlyReason} />
      {items?.some(({ is_test }) => is_test) && !adding ? <TestNote /> : null}
      <ErrorNotice error={error} />
      {!canView ? null : cards.isError ? (
        <LoadError subject={t`The cards`} error={cards.error} retry={() => void cards.refetch()} />
      ) : items === undefined ? (
        <div className="mt-5" aria-busy="true">
          <span className="visually-hidden">{t`Loading the cards`}</span>
          <Skeleton height={120} />
        </div>
      ) : isEmpty && !adding ? (
        <EmptyState
          title={t`No card yet`}
          action={
            mayChange ? (
              <button type="button" className="btn primary" onClick={open}>
                {t`Add a card`}
              </button>
            ) : null
          }
        >
          {t`A card is needed for a paid plan, for a trial, and for credits. The free plan needs none.`}
        </EmptyState>
      ) : isEmpty ? null : (
        <div className="mt-5">
          <CardTable cards={items} busy={busy} actions={mayChange ? { makeDefault, remove } : undefined} />
        </div>
      )}
      {adding && mayChange ? (
        <section className={`mt-8 ${styles.addCardSection}`} aria-labelledby="add-card">
          <div className="row between">
            <h2 className="h3" id="add-card">
              {t`Add a card`}
            </h2>
            <button type="button" className="btn ghost" onClick={() => setAdding(false)}>
              {t`Close`}
            </button>
          </div>
          <AddCard onAdded={(card) => void added(card)} returnTo={() => paths.paymentMethods} />
        </section>
      ) : null}
      {hasStripePortal && mayChange && !adding ? <StripePortalSection /> : null}
      {canView ? <TerminalCommand command="feather api GET /payment-methods" /> : null}
    </>
  );
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, _: PageLocation, user: User | null): Promise<void> {
  if (user && can(user, "manage_billing")) await client.prefetchQuery(cardsQuery);
}
