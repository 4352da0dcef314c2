import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { Mail } from "../../platform/mail/index.ts";
import { type BudgetLevel, sendBudgetMail } from "./budget-mail.ts";
import { toBudgetEventData } from "./budgets.dto.ts";
import type { BudgetCharge, BudgetOwner, BudgetRow, BudgetsRepository } from "./budgets.repository.ts";

type Deps = {
  db: Database;
  budgetsRepository: BudgetsRepository;
  events: Events;
  mail: Mail;
  clock: Clock;
};
type Charge = {
  organization_id: string;
  user_id?: string | null;
  cost_nano_usd?: string | number | null | undefined;
  /** When the call began. As in reports, this time decides to which period the charge belongs. */
  started_at: Date | string;
};

/** Adds charges to budgets, and alerts when thresholds are reached. */
export function createBudgetSpending(deps: Deps) {
  return bind(deps, { recordCharges, recordRefusal });
}

/** What charges and reservations use of budgets. */
export type BudgetSpending = ReturnType<typeof createBudgetSpending>;

/**
 * Adds charges to budgets. Sends a mail and webhook events for each threshold that is reached, once per period, if and only
 * if `trx` commits.
 */
async function recordCharges(deps: Deps, charges: readonly Charge[], trx: Database): Promise<void> {
  if (charges.length === 0) return;
  for (const budget of await deps.budgetsRepository.addSpending(listByOwner(charges), deps.clock.now(), trx)) {
    const spent = BigInt(budget.spent_nano_usd);
    const amount = BigInt(budget.amount_nano_usd);
    if (spent >= amount) await tell(deps, budget, "reached", trx);
    else if (spent * 100n >= amount * BigInt(budget.warning_percent)) await tell(deps, budget, "warning", trx);
  }
}

/** Sends the alert that a hard budget has refused a call, unless it was sent in this period already. */
async function recordRefusal(deps: Deps, owner: BudgetOwner): Promise<void> {
  const { db, budgetsRepository, clock } = deps;
  await db.transaction().execute(async (trx) => {
    const budget = await budgetsRepository.lockRefusing(owner, clock.now(), trx);
    if (budget) await tell(deps, budget, "refused", trx);
  });
}

/** Records the webhook events that were not recorded in this period, and sends one mail for the given level. */
async function tell(deps: Deps, budget: BudgetRow, level: BudgetLevel, trx: Database): Promise<void> {
  const { budgetsRepository, events, clock } = deps;
  const isWarned = budget.warned_period === budget.period_start;
  const isTold = level === "warning" ? isWarned : budget.reached_period === budget.period_start;
  if (isTold) return;
  const owner = { organizationId: budget.organization_id, userId: budget.user_id };
  const data = toBudgetEventData(budget, level === "refused", clock.now());
  const isReached = level !== "warning";
  await budgetsRepository.markTold(owner, isReached, clock.now(), trx);
  if (!isWarned) await events.record(owner.organizationId, { type: "budget.warning", data }, trx);
  if (isReached) await events.record(owner.organizationId, { type: "budget.reached", data }, trx);
  await sendBudgetMail(deps, budget, level, trx);
}

/** Returns each charge twice if it has a user: once for the organization, once for the user. */
function listByOwner(charges: readonly Charge[]): BudgetCharge[] {
  return charges.flatMap(({ organization_id: organizationId, user_id, cost_nano_usd, started_at }) =>
    (user_id ? [null, user_id] : [null]).map((userId) => ({
      organizationId,
      userId,
      amountNano: BigInt(cost_nano_usd ?? 0),
      startedAt: new Date(started_at),
    })),
  );
}
