import type { Body, MarketplaceBalance, MarketplacePayout, Query } from "@feather/sdk";
import { formatCents } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { parseCents, parseDay } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";
import { PROVIDERS } from "./purchase.ts";

/** Fields of a payout for `--json`. */
const PAYOUT_FIELDS = [
  "id",
  "provider",
  "reference",
  "paid_on",
  "amount_usd_cents",
  "fee_usd_cents",
  "is_test",
  "created_at",
  "reversed_at",
  "reversal_reason",
] as const satisfies readonly (keyof MarketplacePayout)[];

type PayoutsFilter = Pick<Query<"admin.marketplaces.payouts.list">, "provider">;
type PayoutValues = Body<"admin.marketplaces.payouts.record">;

/** Lists what marketplaces paid for metered usage, and says what they owe. */
export const marketplacesPayoutsList: Command<PayoutsFilter & { readonly paging: Paging }> = {
  name: "admin marketplaces payouts list",
  summary: "List payouts of marketplaces, and what is open at each",
  prints: "list",
  fields: PAYOUT_FIELDS,
  paged: true,
  needs: "admin",
  flags: [{ name: "--marketplace <id>", summary: "those of this marketplace", choices: PROVIDERS }],
  examples: ["feather admin marketplaces payouts list --marketplace aws"],
  options: (_, flags) => {
    const provider = PROVIDERS.find((one) => one === flags.marketplace);
    return { ...(provider !== undefined && { provider }), paging: parsePaging(flags) };
  },
  async run({ client, output, signal }, { paging, ...query }) {
    const { payouts } = (await client()).admin.marketplaces;
    const response = await readPages(paging, (page) => payouts.list({ ...query, ...page }, { signal }));
    const empty = "No payouts are recorded.";
    output.printList({ columns: COLUMNS, id: ({ id }) => id, noun: "payouts", empty }, response.items, response);
    for (const balance of response.balances) output.info(describeBalance(balance));
  },
};

/** Records a payout of a marketplace. */
export const marketplacesPayoutsRecord: Command<PayoutValues> = {
  name: "admin marketplaces payouts record",
  summary: "Record what a marketplace paid for metered usage",
  description:
    "The marketplace owes as much less then, with the fee that it kept. The same payout again changes nothing. Leave out what was paid for plans that were bought there.",
  arguments: [{ name: "<marketplace>", summary: "aws, azure or gcp" }],
  flags: [
    { name: "--reference <text>", summary: "what the marketplace or the bank calls it" },
    { name: "--date <date>", summary: "the day on which it was paid, such as 2026-11-28", parse: parseDay },
    { name: "--amount <usd>", summary: "what arrived, in dollars", parse: parseCents },
    { name: "--fee <usd>", summary: "what the marketplace kept, in dollars; 0 if left out", parse: parseCents },
  ],
  prints: "one",
  fields: PAYOUT_FIELDS,
  needs: "admin",
  examples: ["feather admin marketplaces payouts record aws --reference DISB-42 --date 2026-11-28 --amount 97 --fee 3"],
  options: ([marketplace], { reference, date, amount, fee }) => {
    const provider = PROVIDERS.find((one) => one === marketplace);
    if (provider === undefined) throw new UsageError("a marketplace is aws, azure or gcp", "aws");
    if (typeof reference !== "string" || typeof date !== "string" || typeof amount !== "number")
      throw new UsageError(
        "--reference, --date and --amount are needed",
        "all three, such as --reference DISB-42 --date 2026-11-28 --amount 97",
      );
    return {
      provider,
      reference,
      paid_on: date,
      amount_usd_cents: amount,
      fee_usd_cents: typeof fee === "number" ? fee : 0,
    };
  },
  async run({ client, output, signal }, body) {
    const value = await (await client()).admin.marketplaces.payouts.record(body, { signal });
    output.printChange({ value, id: value.id, message: `The payout ${value.reference} is recorded.` });
  },
};

/** Reverses a payout that was recorded wrong, after confirmation. */
export const marketplacesPayoutsReverse: Command<{ readonly id: string; readonly reason: string }> = {
  name: "admin marketplaces payouts reverse",
  summary: "Reverse a payout that was recorded wrong",
  description: "What it covered is open again, and its reference can be recorded again. It stays in the list.",
  arguments: [{ name: "<payout>", summary: "id of the payout: feather admin marketplaces payouts list" }],
  flags: [{ name: "--reason <text>", summary: "why, for accounting" }],
  confirms: true,
  prints: "one",
  fields: PAYOUT_FIELDS,
  needs: "admin",
  examples: ['feather admin marketplaces payouts reverse mpo_4fJqM1t9Zk --reason "The amount was that of October"'],
  options: ([id = ""], { reason }) => {
    if (typeof reason !== "string" || reason.trim() === "")
      throw new UsageError("a reason is needed", "--reason <text>");
    return { id, reason: reason.trim() };
  },
  async run({ client, confirm, output, signal }, { id, reason }) {
    await confirm(`Reverse the payout ${id}? What it covered is open again.`);
    const value = await (await client()).admin.marketplaces.payouts.reverse(id, { reason }, { signal });
    output.printChange({ value, id, message: `The payout ${value.reference} is reversed.` });
  },
};

const describeBalance = ({ provider, accepted_usd, paid_usd, fee_usd, open_usd }: MarketplaceBalance): string =>
  `${provider}: $${open_usd} of $${accepted_usd} are open; $${paid_usd} were paid, and $${fee_usd} kept.`;

const COLUMNS: readonly Column<MarketplacePayout>[] = [
  { header: "MARKETPLACE", cell: ({ provider }) => provider },
  { header: "REFERENCE", cell: ({ reference }) => reference, paint: (text, style) => style.bold(text) },
  { header: "PAID", cell: ({ paid_on }) => paid_on },
  {
    header: "AMOUNT",
    cell: ({ amount_usd_cents }) => formatCents(amount_usd_cents),
    plain: ({ amount_usd_cents }) => String(amount_usd_cents),
    align: "right",
  },
  {
    header: "FEE",
    cell: ({ fee_usd_cents }) => formatCents(fee_usd_cents),
    plain: ({ fee_usd_cents }) => String(fee_usd_cents),
    align: "right",
    dropOrder: 2,
  },
  { header: "REVERSED", cell: ({ reversal_reason }) => reversal_reason ?? "", dropOrder: 3 },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
];
