import { t } from "@lingui/core/macro";
import { useIsFetching, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { TerminalTwin } from "#/components/ui/terminal-twin.tsx";
import { CouponSection } from "#/features/billing/coupon-section.tsx";
import { CreditsSection } from "#/features/billing/credits-section.tsx";
import { InvoicesSection } from "#/features/billing/invoices-section.tsx";
import { MarketplaceSection } from "#/features/billing/marketplace-section.tsx";
import { BarrierNote, TestNote } from "#/features/billing/notes.tsx";
import { pageOf } from "#/features/billing/page-of.ts";
import { useBilling } from "#/features/billing/permission.ts";
import { PlanActions } from "#/features/billing/plan-actions.tsx";
import { PlanNotices } from "#/features/billing/plan-notices.tsx";
import { PlanSkeleton, PlanView } from "#/features/billing/plan-view.tsx";
import { subscriptionQuery } from "#/features/billing/queries.ts";
import { useTestPayments } from "#/features/billing/use-test-payments.ts";
import { isCollectedHere } from "#/features/billing/words.ts";
import { useHashScroll } from "#/features/content/use-hash-scroll.ts";

/** The plan of the organization, with coupon, credits, invoices and marketplace accounts. */
export default function SubscriptionPage() {
  const [params, setParams] = useSearchParams();
  const { sees, barrier } = useBilling();
  const subscription = useQuery(subscriptionQuery);
  const isTest = useTestPayments(sees);
  const mayChange = sees && barrier === null;
  useHashScroll(useAllRead(subscription.isSuccess));
  const turn = (name: string) => (page: number) =>
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
      <BarrierNote barrier={barrier} />
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
        <ReadFault what={t`The plan`} error={subscription.error} again={() => void subscription.refetch()} />
      ) : (
        <PlanSkeleton />
      )}
      {sees ? (
        <>
          <CreditsSection page={pageOf(params.get("credits"))} go={turn("credits")} mayChange={mayChange} />
          <InvoicesSection page={pageOf(params.get("invoices"))} go={turn("invoices")} mayChange={mayChange} />
          <MarketplaceSection />
        </>
      ) : null}
      <TerminalTwin command="feather subscription show" />
    </>
  );
}

const PARTS = ["subscription", "credits", "invoices", "payment-methods", "marketplace"];

/** Returns true once all sections are loaded, so that scrolling to a hash does not shift any more. */
function useAllRead(hasPlan: boolean): boolean {
  const reading = useIsFetching({ predicate: ({ queryKey }) => PARTS.includes(String(queryKey[0])) });
  const [isRead, setRead] = useState(false);
  if (!isRead && hasPlan && reading === 0) setRead(true);
  return isRead;
}
