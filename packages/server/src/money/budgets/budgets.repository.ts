import { type Selectable, sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { LOCKS } from "../../platform/core/db/locks.ts";
import type { Budgets } from "../../platform/core/db/schema.generated.ts";

/** A row of the table of budgets. */
export type BudgetRow = Selectable<Budgets>;
/** A budget with the name of its member, and the amounts spent and reserved in the current period. */
export type BudgetDetails = BudgetRow & { user_name: string | null; reserved_nano_usd: string };
/** The fields of a budget that can be set. */
export type BudgetTerms = Pick<BudgetRow, "amount_nano_usd" | "period" | "hard" | "warning_percent">;
/** The owner of a budget: a member, or the organization if `userId` is null. */
export type BudgetOwner = { organizationId: string; userId: string | null };
/** A charge in nano-USD for a call of a user, and when the call began. */
export type BudgetCharge = { organizationId: string; userId: string | null; amountNano: bigint; startedAt: Date };

/** Reads and writes budgets. */
export function createBudgetsRepository(db: Database) {
  return {
    ...bind(db, { list: listBudgets }),
    find: findBudget,
    set: setBudget,
    delete: deleteBudget,
    addSpending,
    lockRefusing,
    markTold,
  };
}

export type BudgetsRepository = ReturnType<typeof createBudgetsRepository>;

const currentStart = (now: Date) =>
  sql<string>`budget_period(budgets.period, budgets.period_start, ${now}::timestamptz)`;

const currentSpending = (now: Date) => sql<string>`
  case when budgets.period_start = ${currentStart(now)} then budgets.spent_nano_usd else 0 end`;

const reservedSum = sql<string>`(
  select coalesce(sum(amount_nano_usd), 0) from credit_reservations
  where credit_reservations.organization_id = budgets.organization_id
    and (budgets.user_id is null or credit_reservations.user_id = budgets.user_id)
)`;

function budgetsWithDetails(trx: Database, organizationId: string, now: Date) {
  return trx
    .selectFrom("budgets")
    .leftJoin("users", "users.id", "budgets.user_id")
    .selectAll("budgets")
    .select("users.name as user_name")
    .select([currentSpending(now).as("spent_nano_usd"), reservedSum.as("reserved_nano_usd")])
    .where("budgets.organization_id", "=", organizationId);
}

/**
 * Returns the budget of the organization first, then those of members in the order of their names. With `userId`, returns
 * only that member's and the organization's.
 */
function listBudgets(db: Database, organizationId: string, userId: string | null, now: Date): Promise<BudgetDetails[]> {
  const budgets = budgetsWithDetails(db, organizationId, now);
  const visible =
    userId === null
      ? budgets
      : budgets.where((eb) => eb.or([eb("budgets.user_id", "is", null), eb("budgets.user_id", "=", userId)]));
  return visible
    .orderBy("user_name", (order) => order.asc().nullsFirst())
    .orderBy("budgets.user_id")
    .execute();
}

const isOwner = ({ organizationId, userId }: BudgetOwner) =>
  sql<boolean>`budgets.organization_id = ${organizationId} and budgets.user_id is not distinct from ${userId}`;

function findBudget(owner: BudgetOwner, now: Date, trx: Database): Promise<BudgetDetails | undefined> {
  return budgetsWithDetails(trx, owner.organizationId, now).where(isOwner(owner)).executeTakeFirst();
}

/**
 * Sets a budget. A new budget, or one with a changed period, starts with what the calls of the current period have cost so
 * far. If amount, period or warning threshold change, alerts are sent again. Needs a transaction.
 */
async function setBudget(owner: BudgetOwner, terms: BudgetTerms, now: Date, trx: Database): Promise<void> {
  // Blocks charges until the transaction ends, so that each charge is counted once: in the sum, or afterwards.
  await sql`select pg_advisory_xact_lock(${LOCKS.settlement})`.execute(trx);
  const before = await findBudget(owner, now, trx);
  if (!before) {
    const begin = await beginPeriod(owner, terms.period, now, trx);
    const { organizationId: organization_id, userId: user_id } = owner;
    const budget = { organization_id, user_id, ...terms, ...begin, created_at: now, updated_at: now };
    return void (await trx.insertInto("budgets").values(budget).execute());
  }
  const keepsPeriod = before.period === terms.period;
  const keepsAlerts =
    keepsPeriod && before.amount_nano_usd === terms.amount_nano_usd && before.warning_percent === terms.warning_percent;
  const changes = {
    ...terms,
    ...(!keepsPeriod && (await beginPeriod(owner, terms.period, now, trx))),
    ...(!keepsAlerts && { warned_period: null, reached_period: null }),
    updated_at: now,
  };
  await trx.updateTable("budgets").set(changes).where(isOwner(owner)).execute();
}

/**
 * Returns the start of the current period and what the owner's calls have cost since then; 0 for a budget without a period.
 */
async function beginPeriod({ organizationId, userId }: BudgetOwner, period: string, now: Date, trx: Database) {
  const day = (unit: string) => sql<Date>`date_trunc(${unit}, ${now}::timestamptz at time zone 'UTC')`;
  if (period === "none") return { period_start: sql<string>`${day("day")}::date`, spent_nano_usd: "0" };
  const { sum } = await trx
    .selectFrom("requests")
    .select(sql<string>`coalesce(sum(cost_nano_usd), 0)`.as("sum"))
    .where("organization_id", "=", organizationId)
    .where("started_at", ">=", sql<Date>`${day(period)} at time zone 'UTC'`)
    .$if(userId !== null, (query) => query.where("user_id", "=", userId))
    .executeTakeFirstOrThrow();
  return { period_start: sql<string>`${day(period)}::date`, spent_nano_usd: sum };
}

/** Deletes a budget. Returns false when there was none. */
async function deleteBudget(owner: BudgetOwner, trx: Database): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom("budgets").where(isOwner(owner)).executeTakeFirst();
  return numDeletedRows === 1n;
}

/**
 * Adds charges to the budgets of their organizations and users. Charges for calls that began before the current period are
 * left out, because they belong to an earlier one. Returns the budgets that changed.
 */
async function addSpending(charges: readonly BudgetCharge[], now: Date, trx: Database): Promise<BudgetRow[]> {
  const rows = charges.map(({ organizationId, userId, amountNano, startedAt }) => ({
    organization_id: organizationId,
    user_id: userId,
    amount: String(amountNano),
    started_at: startedAt,
  }));
  const { rows: budgets } = await sql<BudgetRow>`
    with charges as (
      select budgets.organization_id, budgets.user_id, sum(charge.amount) as amount
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as charge (organization_id text, user_id text, amount numeric, started_at timestamptz)
      join budgets
        on budgets.organization_id = charge.organization_id and budgets.user_id is not distinct from charge.user_id
      where budgets.period = 'none' or charge.started_at >= ${currentStart(now)}::timestamp at time zone 'UTC'
      group by budgets.organization_id, budgets.user_id
    )
    update budgets set
      spent_nano_usd = ${currentSpending(now)} + charges.amount,
      period_start = ${currentStart(now)}
    from charges
    where budgets.organization_id = charges.organization_id and budgets.user_id is not distinct from charges.user_id
    returning budgets.*`.execute(trx);
  return budgets;
}

/** Locks and returns the owner's budget if it is a hard one whose alert was not sent in the current period. */
function lockRefusing(owner: BudgetOwner, now: Date, trx: Database): Promise<BudgetRow | undefined> {
  return trx
    .selectFrom("budgets")
    .selectAll()
    .select([currentSpending(now).as("spent_nano_usd"), currentStart(now).as("period_start")])
    .where(isOwner(owner))
    .where("hard", "=", true)
    .where("reached_period", "is distinct from", currentStart(now))
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Records that the warning, and with `reached` also the alert for the whole amount, was sent in the current period. */
async function markTold(owner: BudgetOwner, reached: boolean, now: Date, trx: Database): Promise<void> {
  await trx
    .updateTable("budgets")
    .set({ warned_period: currentStart(now), ...(reached && { reached_period: currentStart(now) }) })
    .where(isOwner(owner))
    .execute();
}
