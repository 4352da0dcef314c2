import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { formatNanoUsd } from "../../platform/core/money.ts";
import { listAdminAddresses, type Mail } from "../../platform/mail/index.ts";
import type { BudgetRow } from "./budgets.repository.ts";
import { nextLimitReset } from "./periods.ts";

type Deps = { mail: Mail; clock: Clock; publicUrl: string; productName: string };

/**
 * The threshold that was reached: the percentage for the warning, the whole amount, or the amount of a hard budget that
 * refused a call.
 */
export type BudgetLevel = "warning" | "reached" | "refused";

const EVENTS: Readonly<Record<BudgetLevel, (budget: BudgetRow) => string>> = {
  warning: ({ warning_percent }) => `has reached ${warning_percent} %`,
  reached: () => "is used up",
  refused: () => "refused a call",
};

/** Mails that a threshold was reached to the admins of the organization, and to the member if it is a member's budget. */
export async function sendBudgetMail(deps: Deps, budget: BudgetRow, level: BudgetLevel, trx: Database): Promise<void> {
  const { organization_id, user_id } = budget;
  const { name } = await trx
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", organization_id)
    .executeTakeFirstOrThrow();
  const member = user_id === null ? undefined : await findMember(user_id, trx);
  const whose = member ? `${member.name} in ${name}` : name;
  const message = toMessage(deps, budget, level, whose);
  const admins = await listAdminAddresses(organization_id, trx);
  const addresses = new Set([...admins, ...(member && member.suspended_at === null ? [member.email] : [])]);
  for (const to of addresses) await deps.mail.send({ ...message, to }, trx);
}

function findMember(userId: string, trx: Database) {
  return trx.selectFrom("users").select(["name", "email", "suspended_at"]).where("id", "=", userId).executeTakeFirst();
}

function toMessage({ clock, publicUrl, productName }: Deps, budget: BudgetRow, level: BudgetLevel, whose: string) {
  const spent = BigInt(budget.spent_nano_usd);
  const spentText = `$${formatNanoUsd(spent)} of $${formatNanoUsd(BigInt(budget.amount_nano_usd))}`;
  const reset = nextLimitReset(budget.period, clock.now());
  const event = EVENTS[level](budget);
  const text = [
    `The budget of ${whose} ${event}: ${spentText} are spent.`,
    describeConsequence(budget, level),
    reset === null ? "The budget does not reset." : `It resets at ${reset.toISOString()}.`,
    `To see or change it: ${publicUrl}/account/organization`,
  ].join("\n\n");
  const kind = level === "warning" ? ("budget_warning" as const) : ("budget_reached" as const);
  return { kind, subject: `${productName}: the budget of ${whose} ${event}`, text };
}

function describeConsequence({ hard }: BudgetRow, level: BudgetLevel): string {
  if (!hard) return "Calls go on: this budget only alerts.";
  if (level === "warning") return "Calls that could exceed it are refused.";
  const consequence = "Calls for which too little of it is left are refused until it resets or is raised.";
  return level === "refused" ? `The call could have cost more than what is left. ${consequence}` : consequence;
}
