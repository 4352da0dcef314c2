import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "#/components/ui/bits.tsx";
import { Dialog } from "#/components/ui/dialog.tsx";
import { FaultNotice } from "#/components/ui/fault-notice.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { faultOf } from "#/lib/fault.ts";
import { feather } from "#/lib/feather.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import { retentionQuery, useBillingRefresh } from "./queries.ts";
import { couponWords, dayInWords, type Subscription } from "./words.ts";

type Props = { open: boolean; close(): void; subscription: Subscription; endsAtOnce: boolean };

/** Asks for confirmation before a plan is canceled, and offers the retention coupon. */
export function CancelDialog({ open, close, subscription, endsAtOnce }: Props) {
  const { plan, current_period_end_date: end } = subscription;
  const on = endsAtOnce || end === null ? null : dayInWords(end);
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Cancel ${plan.name}`}
      description={
        on === null
          ? t`${plan.name} ends at once. Then you are on the free plan: keys, chats and credits stay, and requests are held to its limits.`
          : t`${plan.name} ends on ${on}. Then you are on the free plan: keys, chats and credits stay, and requests are held to its limits.`
      }
    >
      {open ? <Choices subscription={subscription} on={on} close={close} /> : null}
    </Dialog>
  );
}

function Choices({ subscription, on, close }: { subscription: Subscription; on: string | null; close(): void }) {
  const { plan } = subscription;
  const toast = useToast();
  const { changed } = useBillingRefresh();
  const offer = useQuery(retentionQuery);
  const cancel = useAttempt((_: null) => feather.subscription.cancel());
  const stay = useAttempt((_: null, options) => feather.subscription.retentionCoupon.apply(options));
  const coupon = offer.data?.coupon ?? null;
  const busy = cancel.busy || stay.busy;

  async function undo(): Promise<void> {
    try {
      await changed(await feather.subscription.resume());
    } catch (error) {
      toast({ title: faultOf(error).message, variant: "destructive" });
    }
  }

  async function leave(): Promise<void> {
    const canceled = await cancel.run(null);
    if (!canceled) return;
    await changed(canceled.value);
    close();
    const takesBack = canceled.value.cancel_at_period_end;
    toast({
      title: on === null ? t`${plan.name} ends at once` : t`${plan.name} ends on ${on}`,
      ...(takesBack && { action: { label: t`Undo`, run: () => void undo() } }),
    });
  }

  async function takeOffer(): Promise<void> {
    const kept = await stay.run(null);
    if (!kept) return;
    await changed(kept.value);
    close();
    toast({ title: t`${plan.name} goes on, with the coupon`, variant: "success" });
  }

  return (
    <>
      <div className="offer mt-4" aria-live="polite">
        {offer.isPending ? (
          <Skeleton width={260} height={21} />
        ) : coupon ? (
          <p>
            <Trans>
              If you stay: <strong>{couponWords(coupon)}</strong>, from the next invoice on.
            </Trans>
          </p>
        ) : (
          <p className="mid">
            {on === null ? t`This cannot be taken back.` : t`Until then nothing changes, and you can take it back.`}
          </p>
        )}
      </div>
      <FaultNotice error={cancel.error ?? stay.error} />
      <div className="actions wraps">
        <button type="button" className="btn" onClick={close} disabled={busy}>
          <Trans>Keep {plan.name}</Trans>
        </button>
        {coupon ? (
          <button type="button" className="btn" onClick={() => void takeOffer()} disabled={busy}>
            {stay.busy ? t`One moment …` : t`Stay with the coupon`}
          </button>
        ) : null}
        <button
          type="button"
          className="btn primary danger"
          onClick={() => void leave()}
          disabled={busy}
          aria-busy={cancel.busy}
        >
          {cancel.busy ? t`One moment …` : t`Cancel ${plan.name}`}
        </button>
      </div>
    </>
  );
}
