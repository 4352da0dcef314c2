import { t } from "@lingui/core/macro";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { type CouponValues, couponSchema, createTermFields, NEW_COUPON, toCouponBody } from "./coupon-fields.ts";
import { usePlanHint } from "./use-plan-hint.ts";

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
