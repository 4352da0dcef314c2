import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { formatNanoUsd } from "../../platform/core/money.ts";
import { listAdminAddresses, type Mail, type MailVariables, type TemplatedMessage } from "../../platform/mail/index.ts";
import { budgetReachedMail, budgetRefusedMail, budgetWarningMail } from "./budgets.mails.ts";
import type { BudgetRow } from "./budgets.repository.ts";
import { nextLimitReset } from "./periods.ts";

type Deps = { mail: Mail; clock: Clock };

/**
 * The threshold that was reached: the percentage for the warning, the whole amount, or the amount of a hard budget that
 * refused a call.
 */
export type BudgetLevel = "warning" | "reached" | "refused";

/** Mails that a threshold was reached to the admins of the organization, and to the member if it is a member's budget. */
export async function sendBudgetMail(deps: Deps, budget: BudgetRow, level: BudgetLevel, trx: Database): Promise<void> {
  const { organization_id, user_id, warning_percent } = budget;
  const { name: organization } = await trx
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", organization_id)
    .executeTakeFirstOrThrow();
  const member = user_id === null ? undefined : await findMember(user_id, trx);
  const values = { ...toValues(budget, deps.clock.now()), organization, member: member?.name ?? null };
  const admins = await listAdminAddresses(organization_id, trx);
  const addresses = new Set([...admins, ...(member && member.suspended_at === null ? [member.email] : [])]);
  const send = <V extends MailVariables>(message: TemplatedMessage<V>) => sendToAll(deps.mail, message, addresses, trx);
  if (level === "warning")
    await send({ template: budgetWarningMail, values: { ...values, percent: String(warning_percent) } });
  else await send({ template: level === "reached" ? budgetReachedMail : budgetRefusedMail, values });
}

async function sendToAll<V extends MailVariables>(
  mail: Mail,
  message: TemplatedMessage<V>,
  addresses: Iterable<string>,
  trx: Database,
): Promise<void> {
  for (const to of addresses) await mail.send({ ...message, to }, trx);
}

function findMember(userId: string, trx: Database) {
  return trx.selectFrom("users").select(["name", "email", "suspended_at"]).where("id", "=", userId).executeTakeFirst();
}

function toValues({ spent_nano_usd, amount_nano_usd, hard, period }: BudgetRow, now: Date) {
  return {
    spent: `$${formatNanoUsd(BigInt(spent_nano_usd))}`,
    amount: `$${formatNanoUsd(BigInt(amount_nano_usd))}`,
    is_hard: hard,
    resets_at: nextLimitReset(period, now)?.toISOString() ?? null,
  };
}
