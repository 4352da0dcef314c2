import type { Schemas } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { previewLines, WISH_ARGUMENTS, WISH_FLAGS, type Wish, wishOf } from "./wish.ts";

const FIELDS = [
  "lines",
  "proration_cents",
  "subtotal_cents",
  "discount_cents",
  "tax_cents",
  "total_due_now_cents",
  "next_invoice_cents",
  "next_invoice_date",
] as const satisfies readonly (keyof Schemas["SubscriptionPreview"])[];

/** Shows the cost of another plan, without changing anything. */
export const subscriptionPreview: Command<Wish> = {
  name: "subscription preview",
  summary: "See what another plan would cost",
  arguments: WISH_ARGUMENTS,
  flags: WISH_FLAGS,
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather subscription preview max", "feather subscription preview max --jq .total_due_now_cents"],
  options: wishOf,
  async run({ client, output, signal }, wish) {
    const { preview } = await (await client()).subscription.change({ ...wish, preview: true }, { signal });
    if (preview === null) throw new Error("the server did not say what it would cost");
    output.one({ id: () => wish.plan_id, lines: previewLines }, preview);
  },
};
