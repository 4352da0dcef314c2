import type { Coupon, Subscription } from "@feather/sdk";
import { formatCents, formatCount, formatMoney } from "@feather/sdk/format";
import type { DetailView } from "../../output/index.ts";
import { formatDay } from "../../output/time.ts";
import { formatLimit, formatPrice } from "./plan.ts";

/** Fields that `--json` accepts. */
export const SUBSCRIPTION_FIELDS = [
  "id",
  "status",
  "plan",
  "quantity",
  "currency",
  "current_period_start_date",
  "current_period_end_date",
  "cancel_at_period_end",
  "coupon",
  "pending_change",
  "trial_end_date",
  "price_change",
] as const satisfies readonly (keyof Subscription)[];

/** Returns the id of a subscription; the id of the plan for the free plan, whose subscription has none. */
export const subscriptionId = ({ id, plan }: Subscription): string => id ?? plan.id;

/** Returns the discount of a coupon: `20 % off for 3 months`. */
export function formatCoupon({ percent_off, amount_off_cents, duration, months }: Coupon): string {
  const off = percent_off === null ? formatCents(amount_off_cents ?? 0) : `${percent_off} %`;
  const long = { once: "once", repeating: `for ${formatCount(months ?? 1)} months`, forever: "for ever" }[duration];
  return `${off} off ${long}`;
}

/** The view that prints a subscription. */
export const DETAIL_VIEW: DetailView<Subscription> = {
  id: subscriptionId,
  lines: (it) => {
    const { plan, current_period_end_date: end, pending_change: pending, price_change: newPrice } = it;
    const rows: [string, string | null][] = [
      ["plan", `${plan.name}${it.quantity > 1 ? ` × ${formatCount(it.quantity)}` : ""}`],
      ["state", it.status.replace("_", " ")],
      ["price", formatPrice(plan, it.currency)],
      ["units", formatLimit(plan.concurrency)],
      [it.cancel_at_period_end ? "ends" : "renews", end === null ? null : formatDay(end)],
      ["trial until", it.trial_end_date === null ? null : formatDay(it.trial_end_date)],
      ["changes to", pending === null ? null : `${pending.plan_id} on ${formatDay(pending.effective_date)}`],
      [
        "price changes",
        newPrice
          ? `${formatMoney(newPrice.price_cents, it.currency)} a ${newPrice.interval}, not before ${formatDay(newPrice.effective_date)}`
          : null,
      ],
      ["coupon", it.coupon === null ? null : `${it.coupon.code}, ${formatCoupon(it.coupon)}`],
    ];
    return rows.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const]));
  },
};
