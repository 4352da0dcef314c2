import { useQuery } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { momentText } from "../forms/rules.ts";
import { useSaved } from "../use-act.ts";
import { plansQuery } from "../users/queries.ts";
import {
  type CouponValues,
  couponBodyOf,
  couponRules,
  NEW_COUPON,
  TERM_FIELDS,
  type TermsValues,
  termsBodyOf,
  termsRules,
} from "./coupon-fields.ts";
import type { Coupon } from "./queries.ts";

/** Which plans there are, as a hint for naming some. */
function usePlanHint(): string {
  const plans = useQuery(plansQuery).data?.items;
  return `Ids between commas; empty: all.${plans ? ` There are ${plans.map(({ id }) => id).join(", ")}.` : ""}`;
}

/** Makes a coupon. */
export function NewCouponDialog({ close }: { close(): void }) {
  const saved = useSaved();
  const hint = usePlanHint();
  return (
    <FormDialog<CouponValues>
      open
      title="Make a coupon"
      close={close}
      schema={couponRules}
      initial={NEW_COUPON}
      fields={[
        { name: "code", label: "Code", autoFocus: true, hint: "Letters, digits, - and _." },
        {
          name: "kind",
          label: "Takes off",
          kind: "choice",
          options: [
            { value: "percent", label: "A part of the price, in percent" },
            { value: "amount", label: "An amount, in dollars" },
          ],
        },
        { name: "off", label: "How much", inputMode: "decimal" },
        {
          name: "duration",
          label: "For",
          kind: "choice",
          options: [
            { value: "once", label: "The first invoice" },
            { value: "repeating", label: "Some months" },
            { value: "forever", label: "As long as the plan lasts" },
          ],
        },
        { name: "months", label: "Months", inputMode: "numeric", hint: "Only for “Some months”." },
        ...TERM_FIELDS(hint),
      ]}
      submitLabel="Make the coupon"
      submit={async (values) => {
        const coupon = await feather.admin.coupons.create(couponBodyOf(values));
        await saved(`${coupon.code} can be used`);
      }}
    />
  );
}

/** Changes until when, how often and for what a coupon may be used. What it takes off stays. */
export function CouponTermsDialog({ coupon, close }: { coupon: Coupon; close(): void }) {
  const saved = useSaved();
  const hint = usePlanHint();
  return (
    <FormDialog<TermsValues>
      open
      title={`Change ${coupon.code}`}
      description="What it takes off stays: make a new coupon for another offer."
      close={close}
      schema={termsRules}
      initial={{
        applies_to: coupon.applies_to.join(", "),
        redeem_by_date: momentText(coupon.redeem_by_date),
        max_redemptions: coupon.max_redemptions === null ? "" : String(coupon.max_redemptions),
        is_retention: coupon.is_retention,
      }}
      fields={TERM_FIELDS(hint)}
      submitLabel="Save the coupon"
      submit={async (values) => {
        await feather.admin.coupons.update(coupon.code, termsBodyOf(values));
        await saved(`${coupon.code} is saved`);
      }}
    />
  );
}
