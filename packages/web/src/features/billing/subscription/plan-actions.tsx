import type { Subscription } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { paths } from "#/config/paths.ts";
import { useBillingRefresh } from "#/entities/billing/queries.ts";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";
import { isCollectedHere } from "#/entities/plans/subscription-labels.ts";
import { feather } from "#/lib/feather.ts";
import { navigateToExternalUrl } from "#/lib/navigation/external-navigation.ts";
import { useAction } from "#/lib/use-action.ts";
import { CancelDialog } from "./cancel-dialog.tsx";

/** Buttons that change, keep or cancel the current plan. */
export function PlanActions({ subscription }: { subscription: Subscription }) {
  const [canceling, setCanceling] = useState(false);
  const { plan, cancel_at_period_end, pending_change } = subscription;
  const isPaid = isPaidPlan(plan);
  const { refreshBilling } = useBillingRefresh();
  const portal = useAction((_: null, options) => feather.subscription.customerPortal(options), {
    showsError: true,
    onSuccess: ({ url }) => navigateToExternalUrl(url),
  });
  const resume = useAction((_: null, options) => feather.subscription.resume(options), {
    showsError: true,
    success: () => t`${plan.name} goes on`,
    onSuccess: refreshBilling,
  });

  return (
    <>
      <div className="row wrapping mt-5">
        {cancel_at_period_end ? (
          <button type="button" className="btn primary" disabled={resume.busy} onClick={() => void resume.run(null)}>
            {resume.busy ? t`Please wait …` : t`Keep ${plan.name}`}
          </button>
        ) : (
          <Link className="btn primary" to={paths.changePlan()}>
            {isPaid ? t`Change plan` : t`Choose a plan`}
          </Link>
        )}
        {pending_change ? (
          <button type="button" className="btn" disabled={resume.busy} onClick={() => void resume.run(null)}>
            {resume.busy ? t`Please wait …` : t`Stay on ${plan.name}`}
          </button>
        ) : null}
        <button type="button" className="btn" disabled={portal.busy} onClick={() => void portal.run(null)}>
          {portal.busy ? t`Opening …` : t`Cards and invoices page`}
        </button>
        {isPaid && !cancel_at_period_end ? (
          <button type="button" className="btn ghost danger" onClick={() => setCanceling(true)}>
            {t`Cancel the plan`}
          </button>
        ) : null}
      </div>
      <ErrorNotice error={resume.error ?? portal.error} />
      <CancelDialog
        open={canceling}
        close={() => setCanceling(false)}
        subscription={subscription}
        endsAtOnce={!isCollectedHere(subscription) || subscription.status === "past_due"}
      />
    </>
  );
}
