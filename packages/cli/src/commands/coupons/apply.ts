import type { Command } from "../../command.ts";
import { couponText, SUBSCRIPTION_FIELDS, subscriptionId } from "../subscription/subscription.ts";

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
    const answer = await (await client()).subscription.coupons.apply(code, { signal });
    const gives = answer.coupon === null ? "" : `: ${couponText(answer.coupon)}`;
    output.changed({ value: answer, id: subscriptionId(answer), said: `Applied ${code}${gives}.` });
  },
};
