import type { EndedPlan, Invoice } from "@feather/sdk";
import { currencyDecimals, formatMoney } from "@feather/sdk/format";
import { InvalidArgumentError } from "commander";
import type { Command } from "../../../command.ts";
import type { FlagValues } from "../../../command-line.ts";
import { UsageError } from "../../../errors.ts";
import { isSet, optionalText } from "../../../flags.ts";
import { formatEndedPlan } from "../users/grant-plan.ts";

/** The amount is in units of the currency of the invoice, which only the server knows. */
type RefundOptions = { readonly id: string; readonly amount?: string; readonly end_plan?: boolean };
type Preview = { readonly currency: string; readonly left_cents: number; readonly ended_plan: EndedPlan | null };

const FIELDS = [
  "id",
  "number",
  "status",
  "total_cents",
  "refunded_cents",
] as const satisfies readonly (keyof Invoice)[];

/** Refunds an invoice, after showing the amount and the plan that ends with it. */
export const invoicesRefund: Command<RefundOptions> = {
  name: "admin invoices refund",
  summary: "Give back what was paid for an invoice",
  description:
    "All that is left, or a part of it. Credits that came with the invoice are taken away again; what was spent of them cannot be given back. " +
    "When all of an invoice is given back, the plan whose running period it pays for ends, unless --keep-plan is given.",
  arguments: [{ name: "<invoice>", summary: "id of the invoice" }],
  flags: [
    {
      name: "--amount <amount>",
      summary: "in the currency of the invoice, such as 20 or 2.50; all if not given",
      parse: parseAmount,
    },
    { name: "--keep-plan", summary: "the plan goes on" },
    { name: "--end-plan", summary: "the plan ends, also for a part of the amount" },
  ],
  confirms: true,
  prints: "one",
  fields: FIELDS,
  needs: "admin",
  examples: [
    "feather admin invoices refund inv_4fJqM1t9Zk",
    "feather admin invoices refund inv_4fJqM1t9Zk --amount 10",
  ],
  options: ([id = ""], flags) => ({
    id,
    ...optionalText("amount", flags.amount),
    ...parseEndPlan(flags),
  }),
  async run({ client, confirm, output, signal }, { id, amount, ...options }) {
    const feather = await client();
    const preview = () => feather.admin.invoices.previewRefund(id, { signal });
    const body = {
      ...options,
      ...(amount !== undefined && { amount_cents: toMinorUnits(amount, (await preview()).currency) }),
    };
    await confirm(async () => formatRefundQuestion({ id, ...body }, await preview()));
    const invoice = await feather.admin.invoices.refund(id, body, { signal });
    const message = `${formatMoney(invoice.refunded_cents, invoice.currency)} of ${invoice.number} are given back.`;
    output.printChange({ value: invoice, id: invoice.id, message });
  },
};

/** Returns the confirmation question, with the amount and the plan that ends. */
export function formatRefundQuestion(
  { id, amount_cents, end_plan }: { id: string; amount_cents?: number; end_plan?: boolean },
  { currency, left_cents, ended_plan }: Preview,
): string {
  const cents = amount_cents ?? left_cents;
  const question = `Give back ${formatMoney(cents, currency)} of invoice ${id}? This cannot be undone.`;
  const ends = ended_plan !== null && (end_plan ?? cents === left_cents);
  return ends ? `${question} ${formatEndedPlan(ended_plan)}` : question;
}

function parseEndPlan(flags: FlagValues): { end_plan?: boolean } {
  const [keeps, ends] = [isSet(flags, "keepPlan"), isSet(flags, "endPlan")];
  if (keeps && ends) throw new UsageError("the plan cannot both go on and end", "--keep-plan or --end-plan");
  return keeps || ends ? { end_plan: ends } : {};
}

/** Parses an amount; returns it as a plain decimal. Throws `InvalidArgumentError`. */
function parseAmount(text: string): string {
  const [, amount = ""] = /^[$€£¥]?(\d{1,12}(?:\.\d{1,3})?)$/.exec(text.trim()) ?? [];
  if (Number(amount) === 0) throw new InvalidArgumentError("It must be an amount, such as 20 or 2.50.");
  return amount;
}

/** Converts a decimal to minor units of a currency. Throws `UsageError` for more decimals than it has. */
function toMinorUnits(amount: string, currency: string): number {
  const decimals = currencyDecimals(currency);
  const [whole = "0", fraction = ""] = amount.split(".");
  if (fraction.length > decimals)
    throw new UsageError(`amounts in ${currency} have ${decimals} decimals`, "--amount 20");
  return Number(whole + fraction.padEnd(decimals, "0"));
}
