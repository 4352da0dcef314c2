import type { AdminCoupon } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { formatUtcDateTime } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { type CouponTermsValues, couponTermsSchema, createTermFields, toCouponTermsBody } from "./coupon-fields.ts";
import { usePlanHint } from "./use-plan-hint.ts";

/** Edits the terms of a coupon: plans, expiry and number of uses. Its discount cannot be changed. */
export function CouponTermsDialog({ coupon, close }: { coupon: AdminCoupon; close(): void }) {
  const save = useAction(
    (values: CouponTermsValues) => feather.admin.coupons.update(coupon.code, toCouponTermsBody(values)),
    { success: ({ code }) => t`${code} is saved`, invalidates: ADMIN_QUERY_KEYS },
  );
  const hint = usePlanHint();
  return (
    <FormDialog<CouponTermsValues>
      open
      title={t`Change ${coupon.code}`}
      description={t`What it takes off stays: make a new coupon for another offer.`}
      close={close}
      schema={couponTermsSchema}
      initial={{
        applies_to: coupon.applies_to.join(", "),
        redeem_by_date: formatUtcDateTime(coupon.redeem_by_date),
        max_redemptions: coupon.max_redemptions === null ? "" : String(coupon.max_redemptions),
        is_retention: coupon.is_retention,
      }}
      fields={createTermFields(hint)}
      submitLabel={t`Save the coupon`}
      submit={save.submit}
    />
  );
}
