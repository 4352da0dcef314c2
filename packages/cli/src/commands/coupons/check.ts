import type { Coupon } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalText } from "../../flags.ts";
import { formatDay } from "../../output/time.ts";
import { formatCoupon } from "../subscription/subscription.ts";

/** The coupon, and the plan to check it for. */
export type CouponsCheckOptions = { readonly code: string; readonly plan_id?: string };

const FIELDS = [
  "code",
  "percent_off",
  "amount_off_cents",
  "duration",
  "months",
  "applies_to",
  "redeem_by_date",
  "max_redemptions",
  "valid",
  "reason",
] as const satisfies readonly (keyof Coupon)[];

/** Shows whether a coupon is valid, and its discount. */
export const couponsCheck: Command<CouponsCheckOptions> = {
  name: "coupons check",
  summary: "See whether a coupon is valid and what it gives",
  arguments: [{ name: "<code>", summary: "coupon" }],
  flags: [{ name: "--plan <id>", summary: "plan to use it for; yours if left out", values: "plans" }],
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather coupons check SPRING", "feather coupons check SPRING --plan max --jq .valid"],
  options: ([code = ""], flags) => {
    if (code.trim() === "") throw new UsageError("a coupon has a code", "feather coupons check <code>");
    const { plan } = optionalText("plan", flags.plan);
    return { code, ...(plan !== undefined && { plan_id: plan }) };
  },
  async run({ client, output, signal }, { code, ...query }) {
    const coupon = await (await client()).subscription.coupons.get(code, query, { signal });
    output.printDetails({ id: (it) => it.code, lines }, coupon);
  },
};

const lines = (coupon: Coupon) => {
  const { applies_to: plans, redeem_by_date: until } = coupon;
  return [
    ["coupon", coupon.code] as const,
    ["gives", formatCoupon(coupon)] as const,
    ["valid", coupon.valid ? "yes" : `no: ${REASONS[coupon.reason ?? "ended"]}`] as const,
    ...(plans.length === 0 ? [] : [["plans", plans.join(", ")] as const]),
    ...(until === null ? [] : [["until", formatDay(until)] as const]),
  ];
};

const REASONS: Readonly<Record<NonNullable<Coupon["reason"]>, string>> = {
  expired: "its time is over",
  ended: "it was ended",
  used_up: "it was used as often as it may be",
  already_used: "you have used it",
  not_for_plan: "it is not for this plan",
};
