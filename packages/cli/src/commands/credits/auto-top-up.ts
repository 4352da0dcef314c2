import type { AutoTopUp } from "@feather/sdk";
import { formatCents } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { parseCents } from "../../flags.ts";
import type { DetailView } from "../../output/index.ts";
import { formatDay } from "../../output/time.ts";

const FIELDS = ["rule", "charged_this_month_usd_cents", "paused"] as const satisfies readonly (keyof AutoTopUp)[];

const PAUSE_TEXTS = {
  card_declined: "the card was declined",
  not_confirmed: "the bank wanted a confirmation, and there was none",
  no_card: "there is no card",
  no_address: "the tax depends on the address in the billing details, which is missing or not complete",
  refunded: "a payment for credits was given back",
  disputed: "a payment is disputed at the bank",
} as const;

/** Shows when credits are bought automatically. */
export const creditsAutoTopUpShow: Command<undefined> = {
  name: "credits auto-top-up show",
  summary: "Show when credits are bought automatically",
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather credits auto-top-up show", "feather credits auto-top-up show --jq .paused.reason"],
  options: () => undefined,
  async run({ client, output, signal }) {
    output.printDetails(DETAIL_VIEW, await (await client()).credits.autoTopUp.get({ signal }));
  },
};

/** When credits are bought, how many, and the most in a month, in cents. */
export type AutoTopUpOptions = { readonly below: number; readonly buy: number; readonly limit: number };

/** Switches the automatic top-up on, or changes it. */
export const creditsAutoTopUpSet: Command<AutoTopUpOptions> = {
  name: "credits auto-top-up set",
  summary: "Buy credits automatically when few are left",
  description:
    "The default card is charged without a question. After a failed payment nothing is bought until you set it again.",
  flags: [
    { name: "--below <usd>", summary: "buy when the balance is below these dollars", parse: parseCents },
    { name: "--buy <usd>", summary: "dollars of credits that one payment buys; tax is added", parse: parseCents },
    { name: "--limit <usd>", summary: "the most in a calendar month in dollars, with tax", parse: parseCents },
  ],
  prints: "one",
  fields: FIELDS,
  confirms: true,
  needs: "sign-in",
  examples: ["feather credits auto-top-up set --below 10 --buy 50 --limit 200"],
  options: (_, { below, buy, limit }) => {
    if (typeof below !== "number" || typeof buy !== "number" || typeof limit !== "number")
      throw new UsageError(
        "--below, --buy and --limit are needed",
        "all three, such as --below 10 --buy 50 --limit 200",
      );
    return { below, buy, limit };
  },
  async run({ client, confirm, output, signal }, { below, buy, limit }) {
    const { credits } = await client();
    const rule = { threshold_usd_cents: below, amount_usd_cents: buy, monthly_limit_usd_cents: limit };
    const text = describeRule(rule);
    await confirm(async () => `Let the default card be charged: ${text}?`);
    const value = await credits.autoTopUp.set(rule, { signal });
    output.printChange({ value, id: "on", message: `Credits are bought automatically: ${text}.` });
  },
};

/** Switches the automatic top-up off. */
export const creditsAutoTopUpDelete: Command<undefined> = {
  name: "credits auto-top-up delete",
  summary: "Stop buying credits automatically",
  needs: "sign-in",
  examples: ["feather credits auto-top-up delete"],
  options: () => undefined,
  async run({ client, output, signal }) {
    await (await client()).credits.autoTopUp.delete({ signal });
    output.info("Credits are no longer bought automatically.");
  },
};

const DETAIL_VIEW: DetailView<AutoTopUp> = {
  id: ({ rule }) => (rule ? "on" : "off"),
  lines: ({ rule, paused, charged_this_month_usd_cents }) => [
    ["automatic", rule ? describeRule(rule) : "off"],
    ["this month", `${formatCents(charged_this_month_usd_cents)} charged`],
    ...(paused ? [["paused", `since ${formatDay(paused.failed_at)}: ${PAUSE_TEXTS[paused.reason]}`] as const] : []),
  ],
};

function describeRule(rule: NonNullable<AutoTopUp["rule"]>): string {
  const [below, buy, limit] = [rule.threshold_usd_cents, rule.amount_usd_cents, rule.monthly_limit_usd_cents];
  return `${formatCents(buy)} when less than ${formatCents(below)} are left, at most ${formatCents(limit)} a month with tax`;
}
