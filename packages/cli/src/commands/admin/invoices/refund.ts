import type { EndedPlan, Invoice } from "@feather/sdk";
import { formatCents } from "@feather/sdk/format";
import { InvalidArgumentError } from "commander";
import type { Command } from "../../../command.ts";
import type { FlagValues } from "../../../command-line.ts";
import { UsageError } from "../../../errors.ts";
import { isSet } from "../../../flags.ts";
import { formatEndedPlan } from "../users/grant-plan.ts";

type RefundOptions = { readonly id: string; readonly amount_cents?: number; readonly end_plan?: boolean };
type Preview = { readonly left_cents: number; readonly ended_plan: EndedPlan | null };

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
      name: "--amount <usd>",
      summary: "dollars, such as 20 or 2.50; all that is left, if not given",
      parse: parseCents,
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
    ...(typeof flags.amount === "number" && { amount_cents: flags.amount }),
    ...parseEndPlan(flags),
  }),
  async run({ client, confirm, output, signal }, { id, ...body }) {
    const feather = await client();
    await confirm(async () => {
      return formatRefundQuestion({ id, ...body }, await feather.admin.invoices.previewRefund(id, { signal }));
    });
    const invoice = await feather.admin.invoices.refund(id, body, { signal });
    const message = `${formatCents(invoice.refunded_cents)} of ${invoice.number} are given back.`;
    output.printChange({ value: invoice, id: invoice.id, message });
  },
};

/** Returns the confirmation question, with the amount and the plan that ends. */
export function formatRefundQuestion({ id, amount_cents, end_plan }: RefundOptions, preview: Preview): string {
  const { left_cents, ended_plan } = preview;
  const cents = amount_cents ?? left_cents;
  const question = `Give back ${formatCents(cents)} of invoice ${id}? This cannot be undone.`;
  const ends = ended_plan !== null && (end_plan ?? cents === left_cents);
  return ends ? `${question} ${formatEndedPlan(ended_plan)}` : question;
}

function parseEndPlan(flags: FlagValues): { end_plan?: boolean } {
  const [keeps, ends] = [isSet(flags, "keepPlan"), isSet(flags, "endPlan")];
  if (keeps && ends) throw new UsageError("the plan cannot both go on and end", "--keep-plan or --end-plan");
  return keeps || ends ? { end_plan: ends } : {};
}

/** Parses an amount of dollars; returns cents. Throws `InvalidArgumentError`. */
function parseCents(text: string): number {
  const [, whole = "", part = ""] = /^\$?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  const cents = whole === "" ? 0 : Number(whole) * 100 + Number(part.padEnd(2, "0"));
  if (cents === 0) throw new InvalidArgumentError("It must be an amount of dollars, such as 20 or 2.50.");
  return cents;
}
