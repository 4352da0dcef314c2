import type { Feather, SubscriptionChangeRequest, SubscriptionPreview } from "@feather/sdk";
import { formatMoney } from "@feather/sdk/format";
import type { Argument, Flag, FlagValues } from "../../command-line.ts";
import type { Context } from "../../context.ts";
import { isSet, optionalNumber, optionalText, parseNumberBetween } from "../../flags.ts";
import type { DetailLine } from "../../output/index.ts";
import { formatDay } from "../../output/time.ts";
import { pickItem } from "../../pick-item.ts";
import { formatPrice } from "./plan.ts";

/** A change to another plan, as request body. */
export type ChangeRequest = Omit<SubscriptionChangeRequest, "preview" | "setup_intent">;

/** Arguments of `subscription change` and `subscription preview`. */
export const CHANGE_ARGUMENTS: readonly Argument[] = [
  { name: "[plan]", summary: "plan; you are asked at a terminal", values: "plans" },
];
/** Flags of `subscription change` and `subscription preview`. */
export const CHANGE_FLAGS: readonly Flag[] = [
  {
    name: "--quantity <number>",
    summary: "units, for plans that are priced by unit",
    parse: parseNumberBetween(1, 100_000, true),
  },
  { name: "--coupon <code>", summary: "coupon to apply" },
  { name: "--trial", summary: "begin with the trial, if one is possible" },
];

/** Returns the change that arguments and flags describe. */
export const parseChangeRequest = ([plan_id = ""]: readonly string[], flags: FlagValues): ChangeRequest => {
  const { coupon } = optionalText("coupon", flags.coupon);
  return {
    plan_id,
    ...optionalNumber("quantity", flags.quantity),
    ...(coupon !== undefined && { coupon_code: coupon }),
    ...(isSet(flags, "trial") && { trial: true }),
  };
};

/** Returns the change with a plan, which the person picks if the command line names none. Throws `UsageError` when nobody can be asked. */
export async function withPlan(context: Context, feather: Feather, request: ChangeRequest): Promise<ChangeRequest> {
  if (request.plan_id !== "") return request;
  const { signal } = context;
  const plan_id = await pickItem(context, {
    label: "Plan",
    alternative: "the plan's id: feather subscription plans",
    empty: ["no plan is on sale", "feather subscription show"],
    list: async () => (await feather.subscription.plans({ signal })).items,
    toChoice: (plan) => ({ label: plan.name, note: formatPrice(plan), value: plan.id }),
  });
  return { ...request, plan_id };
}

/** Returns the cost of a change, one line for each item. */
export function formatPreviewLines(preview: SubscriptionPreview): readonly DetailLine[] {
  const { discount_cents: discount, tax_cents: tax, next_invoice_date: next } = preview;
  const money = (amount: number) => formatMoney(amount, preview.currency);
  return [
    ...preview.lines.map(({ description, amount_cents }) => [description, money(amount_cents)] as const),
    ...(discount === 0 ? [] : [["discount", money(-Math.abs(discount))] as const]),
    ...(tax === 0 ? [] : [["tax", money(tax)] as const]),
    ["due now", money(preview.total_due_now_cents), (text, style) => style.bold(text)],
    ["then", `${money(preview.next_invoice_cents)}${next === null ? "" : ` on ${formatDay(next)}`}`],
  ];
}
