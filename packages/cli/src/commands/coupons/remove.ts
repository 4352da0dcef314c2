import type { Command } from "../../command.ts";
import { SUBSCRIPTION_FIELDS, subscriptionId } from "../subscription/subscription.ts";

/** Removes the coupon of the subscription, after confirmation. It cannot be used again. */
export const couponsRemove: Command<undefined> = {
  name: "coupons remove",
  summary: "Remove the coupon of your subscription",
  description: "It counts as used, and cannot be applied again.",
  confirms: true,
  prints: "one",
  fields: SUBSCRIPTION_FIELDS,
  needs: "sign-in",
  examples: ["feather coupons remove", "feather coupons remove --yes"],
  options: () => undefined,
  async run({ client, confirm, output, signal }) {
    const { subscription } = await client();
    await confirm("Remove the coupon? It counts as used, and cannot be applied again.");
    const response = await subscription.coupons.remove({ signal });
    output.printChange({ value: response, id: subscriptionId(response), message: "Removed the coupon." });
  },
};
