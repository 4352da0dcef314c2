import type { Command } from "../../command.ts";
import { formatCoupon, SUBSCRIPTION_FIELDS, subscriptionId } from "../subscription/subscription.ts";

/** Applies a coupon to the current subscription. */
export const couponsApply: Command<{ readonly code: string }> = {
  name: "coupons apply",
  summary: "Apply a coupon from the next invoice on",
  arguments: [{ name: "<code>", summary: "coupon" }],
  prints: "one",
  fields: SUBSCRIPTION_FIELDS,
  needs: "sign-in",
  examples: ["feather coupons apply SPRING"],
  options: ([code = ""]) => ({ code }),
  async run({ client, output, signal }, { code }) {
    const response = await (await client()).subscription.coupons.apply(code, { signal });
    const discountNote = response.coupon === null ? "" : `: ${formatCoupon(response.coupon)}`;
    output.printChange({ value: response, id: subscriptionId(response), message: `Applied ${code}${discountNote}.` });
  },
};
