import type { Subscription } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadError } from "#/components/ui/error-notice.tsx";
import { TerminalCommand } from "#/components/ui/terminal-command.tsx";
import { TestNote } from "#/entities/billing/notes.tsx";
import { trialQuery } from "#/entities/billing/queries.ts";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";
import { describeNextStep, formatCoupon } from "#/entities/plans/subscription-labels.ts";
import { queries } from "#/lib/queries.ts";
import styles from "./change-panel.module.css";
import { type ChangeRequest, ConfirmChange } from "./confirm-change.tsx";
import { CouponField, useCoupon } from "./coupon-field.tsx";
import { isCurrentSelection, type PlanSelection } from "./plan-selection.ts";
import { getChangeKind, hasConsistentTotals } from "./preview.ts";
import { PreviewSkeleton, PreviewView } from "./preview-view.tsx";

type Props = {
  selection: PlanSelection;
  subscription: Subscription;
  couponCode: string | null;
  intentId: string | null;
  setCoupon(code: string | null): void;
};

const previewQuery = (changeRequest: ChangeRequest, enabled: boolean) => ({
  ...queries.subscription.change.queryOptions({ ...changeRequest, preview: true }),
  enabled,
  placeholderData: keepPreviousData,
});

/** Shows the price of the selected plan and the button that confirms it. */
export function ChangePanel({ selection, subscription, couponCode, intentId, setCoupon }: Props) {
  const [wantsTrial, setWantsTrial] = useState(true);
  const trial = useQuery(trialQuery);
  const endsPlan = !isPaidPlan(selection.plan);
  const isCurrent = isCurrentSelection(selection, subscription);
  const coupon = useCoupon(couponCode, selection.plan.id, !endsPlan && !isCurrent && subscription.coupon === null);
  const canTry = !isPaidPlan(subscription.plan) && selection.plan.trial_days > 0 && trial.data?.trial_eligible === true;
  const changeRequest: ChangeRequest = {
    plan_id: selection.plan.id,
    quantity: selection.quantity,
    coupon_code: coupon.coupon?.code ?? null,
    ...(canTry && { trial: wantsTrial }),
  };
  const preview = useQuery(previewQuery(changeRequest, !endsPlan && !isCurrent && !coupon.checking));
  const previewData = preview.data?.preview ?? null;
  const kind = getChangeKind(selection, subscription, previewData);
  const hasWrongTotals = previewData !== null && !hasConsistentTotals(previewData);
  return (
    <aside className={styles.pay} aria-labelledby="cost">
      <h2 className="h3" id="cost">
        {endsPlan ? t`What happens` : t`What it costs`}
      </h2>
      {preview.data?.is_test ? <TestNote /> : null}
      {isCurrent ? (
        <p className="muted mt-3">
          <Trans>You are on this plan. {describeNextStep(subscription)} Choose another to see what it costs.</Trans>
        </p>
      ) : endsPlan ? (
        <p className="muted mt-3">{describeEnd(subscription)}</p>
      ) : preview.isError ? (
        <LoadError subject={t`The price`} error={preview.error} retry={() => void preview.refetch()} />
      ) : previewData === null ? (
        <PreviewSkeleton />
      ) : hasWrongTotals ? (
        <div className="notice fault" role="alert">
          <p>{t`The lines of this price do not add up, so it cannot be confirmed.`}</p>
          <button type="button" className="btn" onClick={() => void preview.refetch()}>
            {t`Try again`}
          </button>
        </div>
      ) : kind === "later" || kind === "take back" ? (
        <p className="muted mt-3">{describeLaterChange(kind, subscription)}</p>
      ) : (
        <PreviewView preview={previewData} kind={kind} stale={preview.isPlaceholderData} />
      )}
      {canTry ? (
        <label className="check mt-4">
          <input type="checkbox" checked={wantsTrial} onChange={(event) => setWantsTrial(event.target.checked)} />
          <Plural value={selection.plan.trial_days} one="Try it for # day first" other="Try it for # days first" />
        </label>
      ) : null}
      {isCurrent || endsPlan ? null : subscription.coupon ? (
        <p className="small muted mt-4">
          <Trans>
            Your coupon {subscription.coupon.code} stays: {formatCoupon(subscription.coupon)}.
          </Trans>
        </p>
      ) : (
        <CouponField code={couponCode} state={coupon} set={setCoupon} />
      )}
      {isCurrent ? null : (
        <ConfirmChange
          selection={selection}
          changeRequest={changeRequest}
          kind={kind}
          preview={previewData}
          subscription={subscription}
          intentId={intentId}
          ready={endsPlan || (preview.isSuccess && !preview.isPlaceholderData && !hasWrongTotals)}
        />
      )}
      {isCurrent ? null : <TerminalCommand command={previewCommand(changeRequest)} distance="close" />}
    </aside>
  );
}

/** Returns the CLI command that shows the same price. */
function previewCommand({ plan_id, quantity, coupon_code }: ChangeRequest): string {
  const body = { plan_id, quantity, ...(coupon_code !== null && { coupon_code }), preview: true };
  return `feather api POST /subscription -d '${JSON.stringify(body)}'`;
}

function describeEnd({ plan, current_period_end_date: end, status }: Subscription): string {
  const when = end === null || status === "past_due" ? t`at once` : t`when its period ends`;
  return t`${plan.name} ends ${when}, and you are on the free plan. Nothing is charged. Keys, chats and credits stay.`;
}

function describeLaterChange(kind: "later" | "take back", subscription: Subscription): string {
  return kind === "later"
    ? t`Nothing is charged now. ${subscription.plan.name} goes on to the end of its period, then the cheaper plan begins.`
    : t`Nothing is charged. What was to change, or to end, does not.`;
}
