import type { AdminCoupon } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { formatUtcDateTime } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { plansQuery } from "../users/queries.ts";
import {
  type CouponTermsValues,
  type CouponValues,
  couponSchema,
  couponTermsSchema,
  createTermFields,
  NEW_COUPON,
  toCouponBody,
  toCouponTermsBody,
} from "./coupon-fields.ts";

/** A hint that lists the ids of all plans. */
function usePlanHint(): string {
  const plans = useQuery(plansQuery).data?.items;
  if (!plans) return t`Ids between commas; empty: all.`;
  const ids = plans.map(({ id }) => id).join(", ");
  return t`Ids between commas; empty: all. There are ${ids}.`;
}

/** Creates a coupon. */
export function NewCouponDialog({ close }: { close(): void }) {
  const create = useAction((values: CouponValues) => feather.admin.coupons.create(toCouponBody(values)), {
    success: ({ code }) => t`${code} can be used`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const hint = usePlanHint();
  return (
    <FormDialog<CouponValues>
      open
      title={t`Make a coupon`}
      close={close}
      schema={couponSchema}
      initial={NEW_COUPON}
      fields={[
        { name: "code", label: t`Code`, autoFocus: true, hint: t`Letters, digits, - and _.` },
        {
          name: "kind",
          label: t`Takes off`,
          kind: "choice",
          options: [
            { value: "percent", label: t`A part of the price, in percent` },
            { value: "amount", label: t`An amount, in dollars` },
          ],
        },
        { name: "off", label: t`How much`, inputMode: "decimal" },
        {
          name: "duration",
          label: t`For`,
          kind: "choice",
          options: [
            { value: "once", label: t`The first invoice` },
            { value: "repeating", label: t`Some months` },
            { value: "forever", label: t`As long as the plan lasts` },
          ],
        },
        { name: "months", label: t`Months`, inputMode: "numeric", hint: t`Only for “Some months”.` },
        ...createTermFields(hint),
      ]}
      submitLabel={t`Make the coupon`}
      submit={create.submit}
    />
  );
}

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
