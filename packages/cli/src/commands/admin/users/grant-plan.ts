import type { EndedPlan } from "@feather/sdk";
import { formatMoney } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { optionalNumber, parseNumberBetween } from "../../../flags.ts";
import { formatDay } from "../../../output/time.ts";
import { resolveUserId, USER_ARGUMENT, USER_FIELDS } from "./user.ts";

type Options = { readonly who: string; readonly plan_id: string; readonly quantity?: number };

/** Grants a plan without payment, after showing which paid plan ends and what is credited. */
export const usersGrantPlan: Command<Options> = {
  name: "admin users grant-plan",
  summary: "Grant a user's organization a plan without payment",
  description:
    "A plan that the organization pays for ends with that. What was paid for the rest of its period is kept for its next invoices.",
  arguments: [USER_ARGUMENT, { name: "<plan>", summary: "plan", values: "plans" }],
  flags: [
    { name: "--quantity <number>", summary: "units, for plans by unit", parse: parseNumberBetween(1, 100_000, true) },
  ],
  confirms: true,
  prints: "one",
  fields: USER_FIELDS,
  needs: "admin",
  examples: ["feather admin users grant-plan maria@example.com max"],
  options: ([who = "", plan_id = ""], flags) => ({ who, plan_id, ...optionalNumber("quantity", flags.quantity) }),
  async run({ client, confirm, output, signal }, { who, ...change }) {
    const feather = await client();
    const id = await resolveUserId(feather, who, signal);
    await confirm(async () => {
      const { ended_plan } = await feather.admin.users.previewGrant(id, { signal });
      return formatGrantQuestion(who, change.plan_id, ended_plan);
    });
    const user = await feather.admin.users.update(id, change, { signal });
    output.printChange({ value: user, id: user.id, message: `${user.email} is on ${user.plan_id} now.` });
  },
};

/** Returns the confirmation question, with the paid plan that ends. */
export function formatGrantQuestion(who: string, plan: string, ended: EndedPlan | null): string {
  const question = `Grant ${who} the plan ${plan} without payment?`;
  return ended === null ? question : `${question} ${formatEndedPlan(ended)}`;
}

/** Returns a sentence about the plan that ends, and the amount credited for it. */
export function formatEndedPlan({ plan_name, quantity, period_end_date, currency, credited_cents }: EndedPlan): string {
  const name = quantity > 1 ? `${plan_name} × ${quantity}` : plan_name;
  const creditNote =
    credited_cents === 0
      ? "Nothing is kept of it"
      : `${formatMoney(credited_cents, currency)} are kept for the next invoices`;
  return `${name}, paid until ${formatDay(period_end_date)}, ends at once. ${creditNote}.`;
}
