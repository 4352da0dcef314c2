import type { BudgetSetRequest } from "@feather/sdk";
import { formatNanoUsd } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { isSet, optionalNumber, parseNanoDollars, parseNumberBetween } from "../../flags.ts";
import { BUDGET_FIELDS, describeOwner, MEMBER_FLAG, resolveMemberId, toOwnerId } from "./budget.ts";

const PERIODS = ["none", "day", "week", "month"] as const satisfies readonly BudgetSetRequest["period"][];
const MAX_PERCENT = 100;

/** The member whose budget is set, if it is not the organization's, and the budget. */
export type BudgetsSetOptions = { readonly member: string | undefined; readonly budget: BudgetSetRequest };

/** Sets a budget anew: flags that are omitted take their defaults. */
export const budgetsSet: Command<BudgetsSetOptions> = {
  name: "budgets set",
  summary: "Set the budget of the organization or of a member",
  description:
    "Without --hard it only alerts by mail and webhook. Days begin at midnight UTC, weeks on Monday. Only calls that are paid from credits count.",
  arguments: [{ name: "<usd>", summary: "the amount in dollars, such as 50 or 2.50" }],
  flags: [
    MEMBER_FLAG,
    {
      name: "--period <when>",
      summary: "how often what is spent counts from zero again; month if left out",
      choices: PERIODS,
    },
    { name: "--hard", summary: "refuse calls that could exceed it" },
    {
      name: "--warn <percent>",
      summary: "percentage at which a warning is sent; 80 if left out",
      parse: parseNumberBetween(1, MAX_PERCENT, true),
    },
  ],
  prints: "one",
  fields: BUDGET_FIELDS,
  needs: "sign-in",
  examples: [
    "feather budgets set 500 --period month --hard",
    "feather budgets set 20 --member joe@example.com --period week --warn 90",
  ],
  options: ([usd = ""], flags) => {
    const amount = parseNanoDollars(usd);
    if (amount === null) throw new UsageError(`${usd} is not an amount of dollars`, "an amount such as 50 or 2.50");
    const period = PERIODS.find((one) => one === flags.period);
    return {
      member: typeof flags.member === "string" ? flags.member : undefined,
      budget: {
        amount_nano_usd: amount,
        period: period ?? "month",
        hard: isSet(flags, "hard"),
        warning_percent: 80,
        ...optionalNumber("warning_percent", flags.warn),
      },
    };
  },
  async run(context, { member, budget }) {
    const { budgets } = await context.client();
    const { signal } = context;
    const set =
      member === undefined
        ? await budgets.set(budget, { signal })
        : await budgets.setForMember(await resolveMemberId(context, member), budget, { signal });
    const owner = set.user_id === null ? "the organization" : describeOwner(set);
    const message = `Set the budget of ${owner} to ${formatNanoUsd(set.amount_nano_usd)}.`;
    context.output.printChange({ value: set, id: toOwnerId(set), message });
  },
};
