import { can, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { matchQuery, type QueryClient, useIsFetching, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import {
  autoTopUpQuery,
  billingDetailsQuery,
  cardsQuery,
  creditNotesQuery,
  creditsQuery,
  invoicesQuery,
  meteringQuery,
  subscriptionQuery,
} from "#/entities/billing/queries.ts";
import { ReadOnlyNote } from "#/entities/billing/read-only-note.tsx";
import { TestNote } from "#/entities/billing/test-note.tsx";
import { useBillingPermission } from "#/entities/billing/use-billing-permission.ts";
import { currenciesQuery } from "#/entities/plans/queries.ts";
import { isCollectedHere } from "#/entities/plans/subscription-labels.ts";
import { CouponSection } from "#/features/billing/coupon-section.tsx";
import { CreditNotesSection } from "#/features/billing/credit-notes-section.tsx";
import { CreditsSection } from "#/features/billing/credits/credits-section.tsx";
import { BillingDetailsSection } from "#/features/billing/details/billing-details-section.tsx";
import { InvoicesSection } from "#/features/billing/invoices-section.tsx";
import { MarketplaceSection, marketplaceAccountsQuery } from "#/features/billing/marketplace-section.tsx";
import { parsePage } from "#/features/billing/parse-page.ts";
import { PlanActions } from "#/features/billing/subscription/plan-actions.tsx";
import { PlanNotices } from "#/features/billing/subscription/plan-notices.tsx";
import { PlanSkeleton } from "#/features/billing/subscription/plan-skeleton.tsx";
import { PlanView } from "#/features/billing/subscription/plan-view.tsx";
import { useTestPayments } from "#/features/billing/use-test-payments.ts";
import { useHashScroll } from "#/features/content/use-hash-scroll.ts";
import { queries } from "#/lib/queries.ts";

/** The plan of the organization, with coupon, credits, invoices, credit notes, billing details and marketplace accounts. */
export default function SubscriptionPage() {
  const [params, setParams] = useSearchParams();
  const { canView, readOnlyReason } = useBillingPermission();
  const subscription = useQuery(subscriptionQuery);
  const isTest = useTestPayments(canView);
  const mayChange = canView && readOnlyReason === null;
  useHashScroll(useAllLoaded(subscription.isSuccess));
  const createPageSetter = (name: string) => (page: number) =>
    setParams(
      (now) => {
        now.set(name, String(page));
        return now;
      },
      { preventScrollReset: true },
    );
  return (
    <>
      <h1 className="h2">{t`Subscription`}</h1>
      {isTest ? <TestNote /> : null}
      <ReadOnlyNote readOnlyReason={readOnlyReason} />
      {subscription.data ? (
        <>
          <PlanNotices subscription={subscription.data} mayChange={mayChange} />
          <PlanView subscription={subscription.data} />
          {mayChange ? <PlanActions subscription={subscription.data} /> : null}
          {isCollectedHere(subscription.data) ? (
            <CouponSection subscription={subscription.data} mayChange={mayChange} />
          ) : null}
        </>
      ) : subscription.isError ? (
        <LoadError subject={t`The plan`} error={subscription.error} retry={() => void subscription.refetch()} />
      ) : (
        <PlanSkeleton />
      )}
      {canView ? (
        <>
          <CreditsSection
            page={parsePage(params.get("credits"))}
            goToPage={createPageSetter("credits")}
            mayChange={mayChange}
          />
          <InvoicesSection
            page={parsePage(params.get("invoices"))}
            goToPage={createPageSetter("invoices")}
            mayChange={mayChange}
          />
          <CreditNotesSection />
          <BillingDetailsSection mayChange={mayChange} />
          <MarketplaceSection mayChange={mayChange} />
        </>
      ) : null}
      <TerminalCommand command="feather subscription show" />
    </>
  );
}

const QUERY_KEYS = [
  queries.subscription.key(),
  queries.usage.credits.key(),
  queries.credits.autoTopUp.key(),
  queries.invoices.key(),
  queries.creditNotes.key(),
  queries.organization.billingDetails.key(),
  queries.paymentMethods.key(),
  queries.marketplace.key(),
];

/** Returns true once all sections are loaded, so that scrolling to a hash does not shift any more. */
function useAllLoaded(hasPlan: boolean): boolean {
  const reading = useIsFetching({
    predicate: (query) => QUERY_KEYS.some((queryKey) => matchQuery({ queryKey }, query)),
  });
  const [isLoaded, setLoaded] = useState(false);
  if (!isLoaded && hasPlan && reading === 0) setLoaded(true);
  return isLoaded;
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, { search }: PageLocation, user: User | null): Promise<void> {
  const mayView = user !== null && can(user, "manage_billing");
  const params = new URLSearchParams(search);
  await Promise.all([
    client.prefetchQuery(subscriptionQuery),
    client.prefetchQuery(creditsQuery(parsePage(params.get("credits")))),
    client.prefetchQuery(marketplaceAccountsQuery),
    client.prefetchQuery(currenciesQuery),
    mayView && client.prefetchQuery(cardsQuery),
    mayView && client.prefetchQuery(autoTopUpQuery),
    mayView && client.prefetchQuery(meteringQuery),
    mayView && client.prefetchQuery(creditNotesQuery(1)),
    mayView && client.prefetchQuery(billingDetailsQuery),
    mayView && client.prefetchQuery(invoicesQuery(parsePage(params.get("invoices")))),
  ]);
}
