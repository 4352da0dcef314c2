import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Link } from "react-router-dom";
import { FaultNotice } from "#/components/ui/fault-notice.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { feather } from "#/lib/feather.ts";
import { leaveFor } from "#/lib/leave.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { isPaidPlan } from "./paid-plan.ts";
import { useBillingRefresh } from "./queries.ts";
import { isCollectedHere, type Subscription } from "./words.ts";

/** Buttons that change, keep or cancel the current plan. */
export function PlanActions({ subscription }: { subscription: Subscription }) {
  const [leaving, setLeaving] = useState(false);
  const toast = useToast();
  const { changed } = useBillingRefresh();
  const portal = useAttempt((_: null, options) => feather.subscription.customerPortal(options));
  const resume = useAttempt((_: null, options) => feather.subscription.resume(options));
  const { plan, cancel_at_period_end, pending_change } = subscription;
  const isPaid = isPaidPlan(plan);

  async function openPortal(): Promise<void> {
    const opened = await portal.run(null);
    if (opened) leaveFor(opened.value.url);
  }

  async function goOn(): Promise<void> {
    const resumed = await resume.run(null);
    if (!resumed) return;
    await changed(resumed.value);
    toast({ title: t`${plan.name} goes on`, variant: "success" });
  }

  return (
    <>
      <div className="row wraps mt-5">
        {cancel_at_period_end ? (
          <button type="button" className="btn primary" disabled={resume.busy} onClick={() => void goOn()}>
            {resume.busy ? t`One moment …` : t`Keep ${plan.name}`}
          </button>
        ) : (
          <Link className="btn primary" to={paths.changePlan()}>
            {isPaid ? t`Change plan` : t`Choose a plan`}
          </Link>
        )}
        {pending_change ? (
          <button type="button" className="btn" disabled={resume.busy} onClick={() => void goOn()}>
            {resume.busy ? t`One moment …` : t`Stay on ${plan.name}`}
          </button>
        ) : null}
        <button type="button" className="btn" disabled={portal.busy} onClick={() => void openPortal()}>
          {portal.busy ? t`Opening …` : t`Cards and invoices page`}
        </button>
        {isPaid && !cancel_at_period_end ? (
          <button type="button" className="btn ghost danger" onClick={() => setLeaving(true)}>
            {t`Cancel the plan`}
          </button>
        ) : null}
      </div>
      <FaultNotice error={resume.error ?? portal.error} />
      <CancelDialog
        open={leaving}
        close={() => setLeaving(false)}
        subscription={subscription}
        endsAtOnce={!isCollectedHere(subscription) || subscription.status === "past_due"}
      />
    </>
  );
}
