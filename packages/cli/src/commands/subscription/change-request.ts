import type { SubscriptionChangeRequest, SubscriptionPreview } from "@feather/sdk";
import type { Argument, Flag, FlagValues } from "../../command-line.ts";
import { isSet, optionalNumber, optionalText, parseNumberBetween } from "../../flags.ts";
import { formatDollars } from "../../output/format.ts";
import type { DetailLine } from "../../output/index.ts";
import { formatDay } from "../../output/time.ts";

/** A change to another plan, as request body. */
export type ChangeRequest = Omit<SubscriptionChangeRequest, "preview" | "setup_intent">;

/** Arguments of `subscription change` and `subscription preview`. */
export const CHANGE_ARGUMENTS: readonly Argument[] = [{ name: "<plan>", summary: "plan", values: "plans" }];
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

/** Returns the cost of a change, one line for each item. */
export function formatPreviewLines(preview: SubscriptionPreview): readonly DetailLine[] {
  const { discount_cents: discount, tax_cents: tax, next_invoice_date: next } = preview;
  return [
    ...preview.lines.map(({ description, amount_cents }) => [description, formatDollars(amount_cents)] as const),
    ...(discount === 0 ? [] : [["discount", formatDollars(-Math.abs(discount))] as const]),
    ...(tax === 0 ? [] : [["tax", formatDollars(tax)] as const]),
    ["due now", formatDollars(preview.total_due_now_cents), (text, style) => style.bold(text)],
    ["then", `${formatDollars(preview.next_invoice_cents)}${next === null ? "" : ` on ${formatDay(next)}`}`],
  ];
}
