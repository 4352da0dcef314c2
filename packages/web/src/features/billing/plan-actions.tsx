import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ErrorNotice } from "#/components/ui/error-notice.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { useBillingRefresh } from "#/entities/billing/queries.ts";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";
import { isCollectedHere, type Subscription } from "#/entities/plans/subscription-labels.ts";
import { navigateToExternalUrl } from "#/lib/external-navigation.ts";
import { feather } from "#/lib/feather.ts";
import { useIdempotentAction } from "#/lib/use-idempotent-action.ts";
import { CancelDialog } from "./cancel-dialog.tsx";

/** Buttons that change, keep or cancel the current plan. */
export function PlanActions({ subscription }: { subscription: Subscription }) {
  const [canceling, setCanceling] = useState(false);
  const toast = useToast();
  const { refreshBilling } = useBillingRefresh();
  const portal = useIdempotentAction((_: null, options) => feather.subscription.customerPortal(options));
  const resume = useIdempotentAction((_: null, options) => feather.subscription.resume(options));
  const { plan, cancel_at_period_end, pending_change } = subscription;
  const isPaid = isPaidPlan(plan);

  async function openPortal(): Promise<void> {
    const opened = await portal.run(null);
    if (opened) navigateToExternalUrl(opened.value.url);
  }

  async function keepPlan(): Promise<void> {
    const resumed = await resume.run(null);
    if (!resumed) return;
    await refreshBilling(resumed.value);
    toast({ title: t`${plan.name} goes on`, variant: "success" });
  }

  return (
    <>
      <div className="row wraps mt-5">
        {cancel_at_period_end ? (
          <button type="button" className="btn primary" disabled={resume.busy} onClick={() => void keepPlan()}>
            {resume.busy ? t`One moment …` : t`Keep ${plan.name}`}
          </button>
        ) : (
          <Link className="btn primary" to={paths.changePlan()}>
            {isPaid ? t`Change plan` : t`Choose a plan`}
          </Link>
        )}
        {pending_change ? (
          <button type="button" className="btn" disabled={resume.busy} onClick={() => void keepPlan()}>
            {resume.busy ? t`One moment …` : t`Stay on ${plan.name}`}
          </button>
        ) : null}
        <button type="button" className="btn" disabled={portal.busy} onClick={() => void openPortal()}>
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
