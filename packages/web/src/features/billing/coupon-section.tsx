import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { z } from "zod";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { FaultNotice } from "#/components/ui/fault-notice.tsx";
import { Form } from "#/components/ui/form.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { feather } from "#/lib/feather.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import { useBillingRefresh } from "./queries.ts";
import { type Coupon, couponWords, dayInWords, type Subscription } from "./words.ts";

/** A coupon code of letters, digits, underscores and hyphens. */
export const couponCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: t`Coupon is not valid.` });

/**
 * The coupon of the current plan, or a form to apply one. Hidden while the plan is canceled, because there is no next
 * invoice.
 */
export function CouponSection({ subscription, mayChange }: { subscription: Subscription; mayChange: boolean }) {
  const { coupon, plan } = subscription;
  if (!coupon && (!mayChange || subscription.cancel_at_period_end)) return null;
  return (
    <section className="mt-8" aria-labelledby="coupon">
      <h2 className="h4" id="coupon">
        {t`Coupon`}
      </h2>
      {coupon ? (
        <Applied coupon={coupon} planName={plan.name} mayChange={mayChange} />
      ) : (
        <ApplyForm planName={plan.name} />
      )}
    </section>
  );
}

function Applied({ coupon, planName, mayChange }: { coupon: Coupon; planName: string; mayChange: boolean }) {
  const confirm = useConfirm();
  const toast = useToast();
  const { changed } = useBillingRefresh();
  const removal = useAttempt((_: null) => feather.subscription.coupons.remove());
  const ask = () =>
    confirm({
      title: t`Remove ${coupon.code}`,
      description: t`${planName} costs its full price from the next invoice on. The coupon counts as used: it cannot be applied again.`,
      confirmButtonText: t`Remove ${coupon.code}`,
      destructive: true,
      action: async () => {
        const removed = await removal.run(null);
        if (!removed) return;
        await changed(removed.value);
        toast({ title: t`${coupon.code} is removed` });
      },
    });
  return (
    <>
      <div className="row between wraps mt-2">
        <p>
          <code className="mono stranger">{coupon.code}</code>
          <span className="mid">
            :{" "}
            {coupon.redeem_by_date
              ? t`${couponWords(coupon)}, to be used by ${dayInWords(coupon.redeem_by_date)}`
              : couponWords(coupon)}
          </span>
        </p>
        {mayChange ? (
          <button type="button" className="btn" onClick={ask} disabled={removal.busy}>
            {t`Remove coupon`}
          </button>
        ) : null}
      </div>
      <FaultNotice error={removal.error} />
    </>
  );
}

function ApplyForm({ planName }: { planName: string }) {
  const toast = useToast();
  const { changed } = useBillingRefresh();
  const attempt = useAttempt((code: string, options) => feather.subscription.coupons.apply(code, options));
  return (
    <>
      <p className="mid mt-2">
        <Trans>It holds for {planName}, from the next invoice on. One at a time, each once.</Trans>
      </p>
      <div className="one-line mt-3">
        <Form
          schema={z.object({ code: couponCode })}
          initial={{ code: "" }}
          fields={[{ name: "code", label: t`Coupon code`, autoComplete: "off" }]}
          submitLabel={t`Apply coupon`}
          quiet
          block={false}
          submit={async ({ code }) => {
            const applied = await attempt.run(code);
            if (!applied) return;
            await changed(applied.value);
            toast({ title: t`${code} is applied`, variant: "success" });
          }}
        />
      </div>
      <FaultNotice error={attempt.error} />
    </>
  );
}
