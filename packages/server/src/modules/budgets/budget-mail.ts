import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { formatNanoUsd } from "../../core/money.ts";
import { listAdminAddresses, type Mail } from "../mail/index.ts";
import type { BudgetRow } from "./budgets.repository.ts";
import { nextLimitReset } from "./periods.ts";

type Deps = { mail: Mail; clock: Clock; publicUrl: string; productName: string };

/** Which threshold of a budget was reached: the percentage of the warning, or the amount. */
export type BudgetLevel = "warning" | "reached";

/** Mails the admins of the organization, and the member whose budget it is, that a threshold was reached. */
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
  const event = level === "warning" ? `has reached ${budget.warning_percent} %` : "is used up";
  const text = [
    `The budget of ${whose} ${event}: ${spentText} are spent.`,
    describeConsequence(budget, level),
    reset === null ? "The budget does not reset." : `It resets at ${reset.toISOString()}.`,
    `To see or change it: ${publicUrl}/account/organization`,
  ].join("\n\n");
  return { kind: `budget_${level}` as const, subject: `${productName}: the budget of ${whose} ${event}`, text };
}

function describeConsequence({ hard }: BudgetRow, level: BudgetLevel): string {
  if (!hard) return "Calls go on: this budget only alerts.";
  return level === "warning"
    ? "Calls that could exceed it are refused."
    : "Calls for which too little of it is left are refused until it resets or is raised.";
}
