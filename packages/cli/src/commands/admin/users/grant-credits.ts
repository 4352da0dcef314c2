import type { CreditBalance } from "@feather/sdk";
import { formatNanoUsd } from "@feather/sdk/format";
import { InvalidArgumentError } from "commander";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { resolveUserId, USER_ARGUMENT } from "./user.ts";

/** The user, the amount in billionths of a dollar, and the reason. */
export type GrantCreditsOptions = { readonly who: string; readonly amount: string; readonly reason: string };

const FIELDS = [
  "balance_nano_usd",
  "reserved_nano_usd",
  "available_nano_usd",
  "balance_usd",
  "reserved_usd",
  "available_usd",
  "currency",
] as const satisfies readonly (keyof CreditBalance)[];

/** Adds credits to a user's organization, or removes some for a negative amount. */
export const usersGrantCredits: Command<GrantCreditsOptions> = {
  name: "admin users grant-credits",
  summary: "Grant credits to a user's organization",
  description: "A negative amount takes credits, never more than are available.",
  arguments: [USER_ARGUMENT],
  flags: [
    { name: "--amount <usd>", summary: "dollars, such as 20 or 2.50; --amount=-5 takes them", parse: parseNanoDollars },
    { name: "--reason <text>", summary: "why; stands in the audit log and in the transactions" },
  ],
  confirms: true,
  prints: "one",
  fields: FIELDS,
  needs: "admin",
  examples: ['feather admin users grant-credits maria@example.com --amount 20 --reason "For the outage"'],
  options: ([who = ""], { amount, reason }) => {
    if (typeof amount !== "string") throw new UsageError("how much is missing", "--amount 20");
    if (typeof reason !== "string" || reason.trim() === "") throw new UsageError("why is missing", '--reason "…"');
    return { who, amount, reason };
  },
  async run({ client, confirm, output, signal }, { who, amount, reason }) {
    const isWithdrawal = amount.startsWith("-");
    await confirm(
      `${isWithdrawal ? "Take" : "Grant"} ${formatNanoUsd(amount.replace("-", ""))} ${isWithdrawal ? "from" : "to"} ${who}?`,
    );
    const feather = await client();
    const id = await resolveUserId(feather, who, signal);
    const balance = await feather.admin.users.grantCredits(id, { amount_nano_usd: amount, reason }, { signal });
    output.printChange({
      value: balance,
      id,
      message: `${formatNanoUsd(balance.available_nano_usd)} are available now.`,
    });
  },
};

/** Parses an amount of dollars; returns billionths, exactly. Throws `InvalidArgumentError`. */
function parseNanoDollars(text: string): string {
  const [, sign = "", whole = "", part = ""] = /^(-?)\$?(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text.trim()) ?? [];
  const amount = whole === "" ? 0n : BigInt(whole + part.padEnd(9, "0"));
  if (amount === 0n) throw new InvalidArgumentError("It must be an amount of dollars, such as 20 or 2.50.");
  return `${sign}${amount}`;
}
