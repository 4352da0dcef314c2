import type { Body, Schemas } from "@feather/sdk";
import type { Argument, Flag, FlagValues } from "../../command.ts";
import { given, givenNumber, isGiven, numberBetween } from "../../flags.ts";
import { dollars } from "../../output/format.ts";
import type { SheetLine } from "../../output/index.ts";
import { day } from "../../output/time.ts";

/** A change to another plan, as request body. */
export type Wish = Omit<Body<"subscription.change">, "preview" | "setup_intent">;
type Preview = Schemas["SubscriptionPreview"];

/** Arguments of `subscription change` and `subscription preview`. */
export const WISH_ARGUMENTS: readonly Argument[] = [{ name: "<plan>", summary: "plan", values: "plans" }];
/** Flags of `subscription change` and `subscription preview`. */
export const WISH_FLAGS: readonly Flag[] = [
  {
    name: "--quantity <number>",
    summary: "units, for plans that are priced by unit",
    parse: numberBetween(1, 100_000, true),
  },
  { name: "--coupon <code>", summary: "coupon to apply" },
  { name: "--trial", summary: "begin with the trial, if one is possible" },
];

/** Returns the change that arguments and flags describe. */
export const wishOf = ([plan_id = ""]: readonly string[], flags: FlagValues): Wish => {
  const { coupon } = given("coupon", flags.coupon);
  return {
    plan_id,
    ...givenNumber("quantity", flags.quantity),
    ...(coupon !== undefined && { coupon_code: coupon }),
    ...(isGiven(flags, "trial") && { trial: true }),
  };
};

/** Returns the cost of a change, one line for each item. */
export function previewLines(preview: Preview): readonly SheetLine[] {
  const { discount_cents: discount, tax_cents: tax, next_invoice_date: next } = preview;
  return [
    ...preview.lines.map(({ description, amount_cents }) => [description, dollars(amount_cents)] as const),
    ...(discount === 0 ? [] : [["discount", dollars(-Math.abs(discount))] as const]),
    ...(tax === 0 ? [] : [["tax", dollars(tax)] as const]),
    ["due now", dollars(preview.total_due_now_cents), (text, style) => style.bold(text)],
    ["then", `${dollars(preview.next_invoice_cents)}${next === null ? "" : ` on ${day(next)}`}`],
  ];
}
