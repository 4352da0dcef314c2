import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { CodeBlock } from "#/components/ui/code/code-block.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { FREE_PLAN } from "#/entities/plans/paid-plan.ts";
import { currenciesQuery, plansQuery } from "#/entities/plans/queries.ts";
import { useCurrency } from "#/entities/plans/use-currency.ts";
import { useUser } from "#/entities/session/user.ts";
import { useTrialEligible } from "#/features/auth/trial.ts";
import { UnitsExplained } from "#/features/home/units-explained.tsx";
import { PageSection } from "#/features/landing/page-section.tsx";
import { Questions } from "#/features/landing/questions.tsx";
import { PlanComparison } from "#/features/pricing/plan-comparison.tsx";
import { PlanNotices } from "#/features/pricing/plan-notices.tsx";
import { PlanOffer } from "#/features/pricing/plan-offer.tsx";
import { listPlanQuestions } from "#/features/pricing/plan-questions.tsx";
import { UnitExamples } from "#/features/pricing/unit-examples.tsx";
import { useOrigin } from "#/lib/browser/use-origin.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";

// Most servers have one currency.
const CurrencyChooser = lazyComponent(
  async () => (await import("#/features/pricing/currency-chooser.tsx")).CurrencyChooser,
);

/** Heading and lede of the page. */
export function Outline() {
  return (
    <div className="page-width section first pricing-top">
      <Introduction />
    </div>
  );
}

/** The plans of this server, with the user's current plan marked. */
export default function PricingPage() {
  const origin = useOrigin();
  const { user } = useUser();
  const { data } = useQuery(plansQuery);
  const { data: currencies } = useQuery(currenciesQuery);
  const ownCurrency = useCurrency();
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = chosen ?? ownCurrency;
  const isEligible = useTrialEligible();
  const subscription = user?.organization.current_subscription;
  const currentId = subscription?.plan.id ?? (user ? FREE_PLAN : undefined);
  // Trials are offered to all visitors, but to users only while the server says that they may start one.
  const mayTry = user === null || (isEligible === true && currentId === FREE_PLAN);
  return (
    <>
      <div className="page-width section first pricing-top">
        <Introduction />
        <PlanNotices endingPlan={subscription?.cancel_at_period_end ? subscription.plan.name : null} />
        {currencies && currencies.items.length > 1 ? (
          <Suspense fallback={<Skeleton height={34} />}>
            <CurrencyChooser
              currencies={currencies.items.map(({ code }) => code)}
              value={currency}
              ownCurrency={user ? ownCurrency : null}
              onChange={setChosen}
            />
          </Suspense>
        ) : null}
        <PlanOffer currentId={currentId} mayTry={mayTry} currency={currency} />
      </div>
      {data && data.items.length > 0 ? (
        <PageSection title={t`Side by side`}>
          <PlanComparison plans={data.items} currentId={currentId} currency={currency} />
        </PageSection>
      ) : null}
      <PageSection title={t`What a unit carries`}>
        <UnitExamples />
      </PageSection>
      <PageSection title={t`Questions`}>
        <Questions items={listPlanQuestions()} />
      </PageSection>
      <PageSection title={t`The same in the terminal`}>
        <CodeBlock
          samples={[
            { name: "CLI", lang: "bash", code: "feather api GET /subscription/plans" },
            { name: "curl", lang: "bash", code: `curl ${origin}/api/subscription/plans` },
          ]}
        />
      </PageSection>
    </>
  );
}

function Introduction() {
  return (
    <UnitsExplained>
      <h1 className="h1">{t`A plan is a number of units`}</h1>
      <p className="lede mt-3">
        {t`A request holds one to four of them while it runs, by the size of its model. On flat plans tokens are not counted.`}
      </p>
    </UnitsExplained>
  );
}

/** Loads the plans and currencies before the page is shown. */
export async function prepare(client: QueryClient): Promise<void> {
  await Promise.all([client.prefetchQuery(plansQuery), client.prefetchQuery(currenciesQuery)]);
}
