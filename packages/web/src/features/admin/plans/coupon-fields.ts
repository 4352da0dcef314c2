import type { AdminCoupon, CouponCreate, CouponUpdate } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { z } from "zod";
import type { FormField } from "#/components/ui/forms/form.tsx";
import { formatCents, parseCents } from "#/entities/money/money.ts";
import { optionalInteger, parseList, parseNumber, parseUtcDateTime, utcDateTime } from "../forms/field-schemas.ts";

/** Validates the terms of a coupon. */
export const couponTermsSchema = z.object({
  applies_to: z.string(),
  redeem_by_date: utcDateTime(t`Date`),
  max_redemptions: optionalInteger(t`Uses`, { min: 1, max: 1_000_000_000 }),
  is_retention: z.boolean(),
});
/** Form values of a coupon's terms. */
export type CouponTermsValues = z.infer<typeof couponTermsSchema>;

const isPercent = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,4})?$/.test(text.trim()) && Number(text) > 0 && Number(text) <= 100;
const isAmount = (text: string): boolean => (parseCents(text) ?? 0) > 0;

/** Validates a new coupon. */
export const couponSchema = couponTermsSchema
  .extend({
    code: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, {
      error: t`Code is not valid: 1 to 64 letters, digits, - and _.`,
    }),
    kind: z.enum(["percent", "amount"]),
    off: z.string(),
    duration: z.enum(["once", "repeating", "forever"]),
    months: optionalInteger(t`Months`, { min: 1, max: 120 }),
  })
  .refine(({ kind, off }) => kind !== "percent" || isPercent(off), {
    path: ["off"],
    error: t`How much is not valid: percent, above 0 and up to 100.`,
  })
  .refine(({ kind, off }) => kind !== "amount" || isAmount(off), {
    path: ["off"],
    error: t`How much is not valid: dollars such as 5 or 2.50.`,
  })
  .refine(({ duration, months }) => duration !== "repeating" || parseNumber(months) !== null, {
    path: ["months"],
    error: t`Months is not valid: say for how many.`,
  });
/** Form values of a new coupon. */
export type CouponValues = z.infer<typeof couponSchema>;

/** Initial values of the form for a new coupon. */
export const NEW_COUPON: CouponValues = {
  code: "",
  kind: "percent",
  off: "",
  duration: "once",
  months: "",
  applies_to: "",
  redeem_by_date: "",
  max_redemptions: "",
  is_retention: false,
};

/** Returns the form fields of a coupon's terms. */
export const createTermFields = (plansHint: string): FormField<CouponTermsValues>[] => [
  { name: "applies_to", label: t`Only for plans`, hint: plansHint },
  { name: "redeem_by_date", label: t`Until, in UTC`, placeholder: "2026-12-31 09:00", hint: t`Empty: without end.` },
  { name: "max_redemptions", label: t`Uses`, inputMode: "numeric", hint: t`Empty: as often as people like.` },
  { name: "is_retention", label: t`Offer it to those who are about to leave`, kind: "check" },
];

/** Converts terms to the request body. */
export function toCouponTermsBody(values: CouponTermsValues): CouponUpdate {
  return {
    applies_to: parseList(values.applies_to),
    redeem_by_date: parseUtcDateTime(values.redeem_by_date),
    max_redemptions: parseNumber(values.max_redemptions),
    is_retention: values.is_retention,
  };
}

/** Converts a new coupon to the request body. */
export function toCouponBody(values: CouponValues): CouponCreate {
  return {
    code: values.code,
    ...(values.kind === "percent" ? { percent_off: Number(values.off) } : { amount_off_cents: parseCents(values.off) }),
    duration: values.duration,
    ...(values.duration === "repeating" && { months: parseNumber(values.months) }),
    ...toCouponTermsBody(values),
  };
}

/** Describes the discount of a coupon. */
export function formatOffer(
  coupon: Pick<AdminCoupon, "percent_off" | "amount_off_cents" | "duration" | "months">,
): string {
  const off = coupon.percent_off === null ? formatCents(coupon.amount_off_cents ?? 0) : `${coupon.percent_off} %`;
  if (coupon.duration === "once") return t`${off} off, once`;
  if (coupon.duration === "forever") return t`${off} off, for good`;
  return plural(coupon.months ?? 0, { one: `${off} off for # month`, other: `${off} off for # months` });
}
