import type { Plan } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { CodeBlock } from "#/components/ui/code-block.tsx";
import { EmptyState, Skeleton } from "#/components/ui/primitives.tsx";
import { FREE_PLAN } from "#/entities/plans/paid-plan.ts";
import { plansQuery } from "#/entities/plans/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { useTrialEligible } from "#/features/auth/trial.ts";
import { UnitsExplained } from "#/features/home/units-explained.tsx";
import { PageSection, Questions } from "#/features/landing/landing-sections.tsx";
import { PlanColumns } from "#/features/pricing/plan-columns.tsx";
import { PlanComparison } from "#/features/pricing/plan-comparison.tsx";
import { UnitExamples } from "#/features/pricing/unit-examples.tsx";
import { useSalesEnabled } from "#/lib/site-config.ts";
import { useOrigin } from "#/lib/use-origin.ts";

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
  const { data, isError, refetch } = useQuery(plansQuery);
  const salesEnabled = useSalesEnabled();
  const isEligible = useTrialEligible();
  const subscription = user?.organization.current_subscription;
  const currentId = subscription?.plan.id ?? (user ? FREE_PLAN : undefined);
  // Trials are offered to all visitors, but to users only while the server says that they may start one.
  const mayTry = user === null || (isEligible === true && currentId === FREE_PLAN);
  const current = data?.items.find(({ id }) => id === currentId);
  // Highlight the next more expensive plan: the most likely upgrade.
  const recommended = data?.items
    .filter(
      ({ price_usd_cents: cents, billing_mode }) =>
        cents !== null && cents > (current?.price_usd_cents ?? 0) && billing_mode === "subscription",
    )
    .sort((a, b) => (a.price_usd_cents ?? 0) - (b.price_usd_cents ?? 0))[0]?.id;
  const isFlat = (plan: Plan) => plan.billing_mode === "subscription" && plan.price_usd_cents !== null;
  const flat = data?.items.filter(isFlat) ?? [];
  const other = data?.items.filter((plan) => !isFlat(plan)) ?? [];
  return (
    <>
      <div className="page-width section first pricing-top">
        <Introduction />
        {subscription?.cancel_at_period_end ? (
          <p className="notice mt-5">
            <Trans>
              Your plan {subscription.plan.name} ends with its period.{" "}
              <Link className="link" to="/account">
                Take the cancellation back
              </Link>{" "}
              before you change it.
            </Trans>
          </p>
        ) : null}
        {salesEnabled ? null : (
          <p className="notice mt-5" role="note">
            {t`Nothing is sold on this server: an admin puts organizations on plans. The prices are what the plans are meant to cost.`}
          </p>
        )}
        {isError ? (
          <div className="notice mt-6" role="alert">
            <p>{t`The plans cannot be read just now.`}</p>
            <button type="button" className="btn mt-3" onClick={() => void refetch()}>
              {t`Try again`}
            </button>
          </div>
        ) : data?.items.length === 0 ? (
          <EmptyState title={t`No plan is on sale`}>
            {t`Whoever runs this server has put none up. What you have goes on.`}
          </EmptyState>
        ) : data ? (
          <>
            <PlanColumns
              plans={flat}
              currentId={currentId}
              recommended={recommended}
              isSold={salesEnabled}
              mayTry={mayTry}
            />
            {other.length > 0 ? (
              <PlanColumns
                plans={other}
                currentId={currentId}
                recommended={recommended}
                isSold={salesEnabled}
                mayTry={mayTry}
              />
            ) : null}
          </>
        ) : (
          <div className="mt-6">
            <Skeleton height={300} />
          </div>
        )}
      </div>
      {data && data.items.length > 0 ? (
        <PageSection title={t`Side by side`}>
          <PlanComparison plans={data.items} currentId={currentId} />
        </PageSection>
      ) : null}
      <PageSection title={t`What a unit carries`}>
        <UnitExamples />
      </PageSection>
      <PageSection title={t`Questions`}>
        <Questions
          items={[
            {
              question: t`What happens when all units are busy?`,
              answer: t`The next request is refused at once, or waits its turn for as long as you say. Nothing is charged for it.`,
            },
            {
              question: t`When does a change hold?`,
              answer: t`To a more expensive plan at once, for the rest of the period, less what you have paid. To a cheaper one when the period ends.`,
            },
            {
              question: t`Can I cancel at any time?`,
              answer: t`Yes. The plan goes on until its period ends, and can be taken back until then.`,
            },
            {
              question: t`Who shares the units?`,
              answer: (
                <>
                  <Trans>
                    Everybody in your organization, and all its keys. A key can be held to a share.{" "}
                    <Link className="link" to="/docs/plans">
                      Plans and billing
                    </Link>
                  </Trans>
                </>
              ),
            },
          ]}
        />
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

/** Loads the plans before the page is shown. */
export const prepare = (client: QueryClient): Promise<void> => client.prefetchQuery(plansQuery);
