import type { Coupon, Subscription } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { z } from "zod";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { InlineForm } from "#/components/ui/forms/inline-form.tsx";
import { useBillingRefresh } from "#/entities/billing/queries.ts";
import { formatCoupon, formatLongDate } from "#/entities/plans/subscription-labels.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import billingStyles from "./billing.module.css";

/** A coupon code of letters, digits, underscores and hyphens. */
export const couponCodeSchema = z
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
      <h2 className={`h4 ${billingStyles.target}`} id="coupon">
        {t`Coupon`}
      </h2>
      {coupon ? (
        <AppliedCoupon coupon={coupon} planName={plan.name} mayChange={mayChange} />
      ) : (
        <ApplyForm planName={plan.name} />
      )}
    </section>
  );
}

function AppliedCoupon({ coupon, planName, mayChange }: { coupon: Coupon; planName: string; mayChange: boolean }) {
  const confirm = useConfirm();
  const { refreshBilling } = useBillingRefresh();
  const removal = useAction(() => feather.subscription.coupons.remove(), {
    showsError: true,
    success: () => t`${coupon.code} is removed`,
    onSuccess: refreshBilling,
  });
  const confirmRemoval = () =>
    confirm({
      title: t`Remove ${coupon.code}`,
      description: t`${planName} costs its full price from the next invoice on. The coupon counts as used: it cannot be applied again.`,
      confirmButtonText: t`Remove ${coupon.code}`,
      destructive: true,
      action: async () => {
        await removal.run();
      },
    });
  return (
    <>
      <div className="row between wrapping mt-2">
        <p>
          <code className="mono user-text">{coupon.code}</code>
          <span className="muted">
            :{" "}
            {coupon.redeem_by_date
              ? t`${formatCoupon(coupon)}, to be used by ${formatLongDate(coupon.redeem_by_date)}`
              : formatCoupon(coupon)}
          </span>
        </p>
        {mayChange ? (
          <button type="button" className="btn" onClick={confirmRemoval} disabled={removal.busy}>
            {t`Remove coupon`}
          </button>
        ) : null}
      </div>
      <ErrorNotice error={removal.error} />
    </>
  );
}

function ApplyForm({ planName }: { planName: string }) {
  const { refreshBilling } = useBillingRefresh();
  const application = useAction((code: string, options) => feather.subscription.coupons.apply(code, options), {
    showsError: true,
    success: (_, code) => t`${code} is applied`,
    onSuccess: refreshBilling,
  });
  return (
    <>
      <p className="muted mt-2">
        <Trans>It holds for {planName}, from the next invoice on. One at a time, each once.</Trans>
      </p>
      <InlineForm>
        <Form
          schema={z.object({ code: couponCodeSchema })}
          initial={{ code: "" }}
          fields={[{ name: "code", label: t`Coupon code`, autoComplete: "off" }]}
          submitLabel={t`Apply coupon`}
          secondary
          block={false}
          submit={({ code }) => application.run(code)}
        />
      </InlineForm>
      <ErrorNotice error={application.error} />
    </>
  );
}
