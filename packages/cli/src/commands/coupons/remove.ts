import type { Command } from "../../command.ts";
import { SUBSCRIPTION_FIELDS, subscriptionId } from "../subscription/subscription.ts";

/** Removes the coupon of the subscription, after confirmation. It cannot be used again. */
export const couponsRemove: Command<undefined> = {
  name: "coupons remove",
  summary: "Remove the coupon of your subscription",
  about: "It counts as used, and cannot be applied again.",
  asks: true,
  prints: "one",
  fields: SUBSCRIPTION_FIELDS,
  needs: "sign-in",
  examples: ["feather coupons remove", "feather coupons remove --yes"],
  options: () => undefined,
  async run({ client, confirm, output, signal }) {
    const { subscription } = await client();
    await confirm("Remove the coupon? It counts as used, and cannot be applied again.");
    const answer = await subscription.coupons.remove({ signal });
    output.changed({ value: answer, id: subscriptionId(answer), said: "Removed the coupon." });
  },
};
