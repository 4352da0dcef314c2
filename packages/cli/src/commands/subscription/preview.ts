import type { SubscriptionPreview } from "@feather/sdk";
import type { Command } from "../../command.ts";
import {
  CHANGE_ARGUMENTS,
  CHANGE_FLAGS,
  type ChangeRequest,
  formatPreviewLines,
  parseChangeRequest,
  withPlan,
} from "./change-request.ts";

const FIELDS = [
  "lines",
  "proration_cents",
  "subtotal_cents",
  "discount_cents",
  "tax_cents",
  "total_due_now_cents",
  "next_invoice_cents",
  "next_invoice_date",
] as const satisfies readonly (keyof SubscriptionPreview)[];

/** Shows the cost of another plan, without changing anything. */
export const subscriptionPreview: Command<ChangeRequest> = {
  name: "subscription preview",
  summary: "See what another plan would cost",
  arguments: CHANGE_ARGUMENTS,
  flags: CHANGE_FLAGS,
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather subscription preview max", "feather subscription preview max --jq .total_due_now_cents"],
  options: parseChangeRequest,
  async run(context, given) {
    const { client, output, signal } = context;
    const feather = await client();
    const request = await withPlan(context, feather, given);
    const { preview } = await feather.subscription.change({ ...request, preview: true }, { signal });
    if (preview === null) throw new Error("the server did not say what it would cost");
    output.printDetails({ id: () => request.plan_id, lines: formatPreviewLines }, preview);
  },
};
