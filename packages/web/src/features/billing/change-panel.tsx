import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { TerminalTwin } from "#/components/ui/terminal-twin.tsx";
import { feather } from "#/lib/feather.ts";
import { type Choice, isPresent } from "./choice.ts";
import { ConfirmChange, type Wish } from "./confirm-change.tsx";
import { CouponField, useCoupon } from "./coupon-field.tsx";
import { TestNote } from "./notes.tsx";
import { isPaidPlan } from "./paid-plan.ts";
import { addsUp, kindOf } from "./preview.ts";
import { PreviewSkeleton, PreviewView } from "./preview-view.tsx";
import { trialQuery } from "./queries.ts";
import { couponWords, nextOf, type Subscription } from "./words.ts";

type Props = {
  choice: Choice;
  subscription: Subscription;
  couponCode: string | null;
  intentId: string | null;
  setCoupon(code: string | null): void;
};

const previewQuery = (wish: Wish, enabled: boolean) => ({
  queryKey: ["preview", wish],
  queryFn: async () => feather.subscription.change({ ...wish, preview: true }),
  enabled,
  placeholderData: keepPreviousData,
});

/** Shows the price of the selected plan and the button that confirms it. */
export function ChangePanel({ choice, subscription, couponCode, intentId, setCoupon }: Props) {
  const [wantsTrial, setWantsTrial] = useState(true);
  const trial = useQuery(trialQuery);
  const ends = !isPaidPlan(choice.plan);
  const present = isPresent(choice, subscription);
  const coupon = useCoupon(couponCode, choice.plan.id, !ends && !present && subscription.coupon === null);
  const mayTry = !isPaidPlan(subscription.plan) && choice.plan.trial_days > 0 && trial.data?.trial_eligible === true;
  const wish: Wish = {
    plan_id: choice.plan.id,
    quantity: choice.quantity,
    coupon_code: coupon.coupon?.code ?? null,
    ...(mayTry && { trial: wantsTrial }),
  };
  const preview = useQuery(previewQuery(wish, !ends && !present && !coupon.checking));
  const shown = preview.data?.preview ?? null;
  const kind = kindOf(choice, subscription, shown);
  const wrong = shown !== null && !addsUp(shown);
  return (
    <aside className="pay" aria-labelledby="cost">
      <h2 className="h3" id="cost">
        {ends ? t`What happens` : t`What it costs`}
      </h2>
      {preview.data?.is_test ? <TestNote /> : null}
      {present ? (
        <p className="mid mt-3">
          <Trans>You are on this plan. {nextOf(subscription)} Choose another to see what it costs.</Trans>
        </p>
      ) : ends ? (
        <p className="mid mt-3">{endWords(subscription)}</p>
      ) : preview.isError ? (
        <ReadFault what={t`The price`} error={preview.error} again={() => void preview.refetch()} />
      ) : shown === null ? (
        <PreviewSkeleton />
      ) : wrong ? (
        <div className="notice fault" role="alert">
          <p>{t`The lines of this price do not add up, so it cannot be confirmed.`}</p>
          <button type="button" className="btn" onClick={() => void preview.refetch()}>
            {t`Try again`}
          </button>
        </div>
      ) : kind === "later" || kind === "take back" ? (
        <p className="mid mt-3">{laterWords(kind, subscription)}</p>
      ) : (
        <PreviewView preview={shown} kind={kind} stale={preview.isPlaceholderData} />
      )}
      {mayTry ? (
        <label className="check mt-4">
          <input type="checkbox" checked={wantsTrial} onChange={(event) => setWantsTrial(event.target.checked)} />
          <Plural value={choice.plan.trial_days} one="Try it for # day first" other="Try it for # days first" />
        </label>
      ) : null}
      {present || ends ? null : subscription.coupon ? (
        <p className="small mid mt-4">
          <Trans>
            Your coupon {subscription.coupon.code} stays: {couponWords(subscription.coupon)}.
          </Trans>
        </p>
      ) : (
        <CouponField code={couponCode} state={coupon} set={setCoupon} />
      )}
      {present ? null : (
        <ConfirmChange
          choice={choice}
          wish={wish}
          kind={kind}
          preview={shown}
          subscription={subscription}
          intentId={intentId}
          ready={ends || (preview.isSuccess && !preview.isPlaceholderData && !wrong)}
        />
      )}
      {present ? null : <TerminalTwin command={previewCommand(wish)} />}
    </aside>
  );
}

/** Returns the CLI command that shows the same price. */
function previewCommand({ plan_id, quantity, coupon_code }: Wish): string {
  const body = { plan_id, quantity, ...(coupon_code !== null && { coupon_code }), preview: true };
  return `feather api POST /subscription -d '${JSON.stringify(body)}'`;
}

function endWords({ plan, current_period_end_date: end, status }: Subscription): string {
  const when = end === null || status === "past_due" ? t`at once` : t`when its period ends`;
  return t`${plan.name} ends ${when}, and you are on the free plan. Nothing is charged. Keys, chats and credits stay.`;
}

function laterWords(kind: "later" | "take back", subscription: Subscription): string {
  return kind === "later"
    ? t`Nothing is charged now. ${subscription.plan.name} goes on to the end of its period, then the cheaper plan begins.`
    : t`Nothing is charged. What was to change, or to end, does not.`;
}
