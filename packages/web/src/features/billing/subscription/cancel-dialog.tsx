import type { Subscription } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { retentionQuery, useBillingRefresh } from "#/entities/billing/queries.ts";
import { formatCoupon, formatLongDate } from "#/entities/plans/subscription-labels.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./cancel-dialog.module.css";

type Props = { open: boolean; close(): void; subscription: Subscription; endsAtOnce: boolean };

/** Asks for confirmation before a plan is canceled, and offers the retention coupon. */
export function CancelDialog({ open, close, subscription, endsAtOnce }: Props) {
  const { plan, current_period_end_date: end } = subscription;
  const endDate = endsAtOnce || end === null ? null : formatLongDate(end);
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Cancel ${plan.name}`}
      description={
        endDate === null
          ? t`${plan.name} ends at once. Then you are on the free plan: keys, chats and credits stay, and requests are held to its limits.`
          : t`${plan.name} ends on ${endDate}. Then you are on the free plan: keys, chats and credits stay, and requests are held to its limits.`
      }
    >
      {open ? <CancelForm subscription={subscription} endDate={endDate} close={close} /> : null}
    </Dialog>
  );
}

function CancelForm({
  subscription,
  endDate,
  close,
}: {
  subscription: Subscription;
  endDate: string | null;
  close(): void;
}) {
  const { plan } = subscription;
  const { refreshBilling } = useBillingRefresh();
  const offer = useQuery(retentionQuery);
  const resumption = useAction(() => feather.subscription.resume(), { onSuccess: refreshBilling });
  const cancel = useAction(() => feather.subscription.cancel(), {
    showsError: true,
    success: () => (endDate === null ? t`${plan.name} ends at once` : t`${plan.name} ends on ${endDate}`),
    undo: (_run, _variables, { cancel_at_period_end }) => (cancel_at_period_end ? () => void resumption.run() : null),
    onSuccess: refreshAndClose,
  });
  const retention = useAction((_: null, options) => feather.subscription.retentionCoupon.apply(options), {
    showsError: true,
    success: () => t`${plan.name} goes on, with the coupon`,
    onSuccess: refreshAndClose,
  });
  const coupon = offer.data?.coupon ?? null;
  const busy = cancel.busy || retention.busy;

  async function refreshAndClose(changed: Subscription): Promise<void> {
    await refreshBilling(changed);
    close();
  }

  return (
    <>
      <div className={`${styles.offer} mt-4`} aria-live="polite">
        {offer.isPending ? (
          <Skeleton width={260} height={21} />
        ) : coupon ? (
          <p>
            <Trans>
              If you stay: <strong>{formatCoupon(coupon)}</strong>, from the next invoice on.
            </Trans>
          </p>
        ) : (
          <p className="muted">
            {endDate === null
              ? t`This cannot be taken back.`
              : t`Until then nothing changes, and you can take it back.`}
          </p>
        )}
      </div>
      <ErrorNotice error={cancel.error ?? retention.error} />
      <div className="actions wrapping">
        <button type="button" className="btn" onClick={close} disabled={busy}>
          <Trans>Keep {plan.name}</Trans>
        </button>
        {coupon ? (
          <button type="button" className="btn" onClick={() => void retention.run(null)} disabled={busy}>
            {retention.busy ? t`Please wait …` : t`Stay with the coupon`}
          </button>
        ) : null}
        <button
          type="button"
          className="btn primary danger"
          onClick={() => void cancel.run()}
          disabled={busy}
          aria-busy={cancel.busy}
        >
          {cancel.busy ? t`Please wait …` : t`Cancel ${plan.name}`}
        </button>
      </div>
    </>
  );
}
