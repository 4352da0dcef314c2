import type { Subscription } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { trialQuery } from "#/entities/billing/queries.ts";
import { TestNote } from "#/entities/billing/test-note.tsx";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";
import { queries } from "#/lib/queries.ts";
import { useCoupon } from "../coupon-field.tsx";
import { ChangeCosts } from "./change-costs.tsx";
import { ChangeCoupon } from "./change-coupon.tsx";
import styles from "./change-panel.module.css";
import { type ChangeRequest, ConfirmChange } from "./confirm-change.tsx";
import { isCurrentSelection, type PlanSelection } from "./plan-selection.ts";
import { getChangeKind, hasConsistentTotals } from "./preview.ts";
import { TrialChoice } from "./trial-choice.tsx";

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
      <ChangeCosts selection={selection} subscription={subscription} preview={preview} kind={kind} />
      {canTry ? <TrialChoice days={selection.plan.trial_days} checked={wantsTrial} setChecked={setWantsTrial} /> : null}
      {isCurrent || endsPlan ? null : (
        <ChangeCoupon applied={subscription.coupon} code={couponCode} state={coupon} set={setCoupon} />
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
