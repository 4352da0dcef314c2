import type { Subscription, SubscriptionChange } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";
import { describeNextStep } from "#/entities/plans/subscription-labels.ts";
import { isCurrentSelection, type PlanSelection } from "./plan-selection.ts";
import { type ChangeKind, hasConsistentTotals } from "./preview.ts";
import { PreviewSkeleton } from "./preview-skeleton.tsx";
import { PreviewView } from "./preview-view.tsx";

type Props = {
  selection: PlanSelection;
  subscription: Subscription;
  preview: UseQueryResult<SubscriptionChange>;
  kind: ChangeKind;
};

/** Shows what a change of plan costs, or in a sentence what happens where nothing is paid now. */
export function ChangeCosts({ selection, subscription, preview, kind }: Props) {
  const price = preview.data?.preview ?? null;
  if (isCurrentSelection(selection, subscription))
    return (
      <p className="muted mt-3">
        <Trans>You are on this plan. {describeNextStep(subscription)} Choose another to see what it costs.</Trans>
      </p>
    );
  if (!isPaidPlan(selection.plan)) return <p className="muted mt-3">{describeEnd(subscription)}</p>;
  if (preview.isError)
    return <LoadError subject={t`The price`} error={preview.error} retry={() => void preview.refetch()} />;
  if (price === null) return <PreviewSkeleton />;
  if (!hasConsistentTotals(price))
    return (
      <div className="notice fault" role="alert">
        <p>{t`The lines of this price do not add up, so it cannot be confirmed.`}</p>
        <button type="button" className="btn" onClick={() => void preview.refetch()}>
          {t`Try again`}
        </button>
      </div>
    );
  if (kind === "later" || kind === "take back")
    return <p className="muted mt-3">{describeLaterChange(kind, subscription)}</p>;
  return <PreviewView preview={price} kind={kind} stale={preview.isPlaceholderData} />;
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
