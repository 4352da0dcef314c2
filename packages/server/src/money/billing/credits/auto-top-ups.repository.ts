import { type Selectable, sql } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { AutoTopUps } from "../../../platform/core/db/schema.generated.ts";

/** A row of the table of automatic top-ups. */
export type AutoTopUpRow = Selectable<AutoTopUps>;
/** When credits are bought, how many, and the most that is charged in a month, in US cents. */
export type AutoTopUpRule = Pick<AutoTopUpRow, "threshold_cents" | "amount_cents" | "monthly_limit_cents">;
/** Why an automatic top-up is paused. */
export type PauseReason = "card_declined" | "not_confirmed" | "no_card" | "no_address" | "refunded" | "disputed";

/** Reads and writes the automatic top-ups of organizations. */
export function createAutoTopUpsRepository(db: Database) {
  return {
    ...bind(db, { find: findRule, listDue: listDueOrganizations, chargedCents: sumCharged }),
    lockDue: lockDueRule,
    hasUnsettled,
    findReversal,
    set: setRule,
    delete: deleteRule,
    pause: pauseRule,
    markLimitTold,
  };
}

export type AutoTopUpsRepository = ReturnType<typeof createAutoTopUpsRepository>;

/** Rules that are not paused, of organizations whose balance is below the threshold. */
const dueRules = (db: Database) =>
  db
    .selectFrom("auto_top_ups")
    .where("paused_at", "is", null)
    .where(
      sql<boolean>`coalesce(
        (select balance_nano_usd from ledger_accounts where account = 'credits:' || auto_top_ups.organization_id), 0
      ) < auto_top_ups.threshold_cents::numeric * 10000000`,
    );

const monthStart = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));

function findRule(db: Database, organizationId: string, trx: Database = db): Promise<AutoTopUpRow | undefined> {
  return trx.selectFrom("auto_top_ups").selectAll().where("organization_id", "=", organizationId).executeTakeFirst();
}

async function listDueOrganizations(db: Database): Promise<string[]> {
  const rows = await dueRules(db).select("organization_id").orderBy("organization_id").execute();
  return rows.map(({ organization_id }) => organization_id);
}

/** Locks and returns the rule of an organization if it is still due. */
function lockDueRule(organizationId: string, trx: Database): Promise<AutoTopUpRow | undefined> {
  return dueRules(trx)
    .selectAll()
    .where("organization_id", "=", organizationId)
    .forUpdate("auto_top_ups")
    .executeTakeFirst();
}

/**
 * Returns what automatic payments have taken, or may still take, since the start of the month of `now`: in US cents at the rates of the
 * payments, each rounded up.
 */
async function sumCharged(db: Database, organizationId: string, now: Date, trx: Database = db): Promise<number> {
  const { sum } = await trx
    .selectFrom("payments")
    .select(sql<string>`coalesce(sum(ceil(amount_cents * 100 / minor_per_usd)), 0)`.as("sum"))
    .where("organization_id", "=", organizationId)
    .where("is_automatic", "=", true)
    .where("status", "<>", "failed")
    .where("created_at", ">=", monthStart(now))
    .executeTakeFirstOrThrow();
  return Number(sum);
}

/** Returns whether an automatic payment of the organization is in progress. */
async function hasUnsettled(organizationId: string, trx: Database): Promise<boolean> {
  const row = await trx
    .selectFrom("payments")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("is_automatic", "=", true)
    .where("status", "in", ["pending", "requires_action"])
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns whether a payment of the organization is disputed, or was given back or lost to a dispute since a time. Its credits
 * were taken away then, and buying others for them is not what anybody wants.
 */
async function findReversal(organizationId: string, since: Date, trx: Database): Promise<PauseReason | null> {
  const dispute = await trx
    .selectFrom("disputes")
    .innerJoin("payments", "payments.id", "disputes.payment_id")
    .select("disputes.id")
    .where("organization_id", "=", organizationId)
    .where((eb) =>
      eb.or([
        eb("disputes.status", "=", "open"),
        eb.and([eb("disputes.status", "=", "lost"), eb("closed_at", ">=", since)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  if (dispute) return "disputed";
  const refund = await trx
    .selectFrom("credit_notes")
    .innerJoin("invoices", "invoices.id", "credit_notes.invoice_id")
    .select("credit_notes.id")
    .where("credit_notes.organization_id", "=", organizationId)
    .where("kind", "=", "top_up")
    .where("credit_notes.created_at", ">=", since)
    .limit(1)
    .executeTakeFirst();
  return refund ? "refunded" : null;
}

/** Sets the rule of an organization. A paused one goes on. */
async function setRule(
  owner: { organizationId: string; userId: string },
  rule: AutoTopUpRule,
  now: Date,
  trx: Database,
): Promise<AutoTopUpRow> {
  const values = {
    user_id: owner.userId,
    ...rule,
    paused_at: null,
    pause_reason: null,
    limit_told_month: null,
    updated_at: now,
  };
  return trx
    .insertInto("auto_top_ups")
    .values({ organization_id: owner.organizationId, ...values })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes the rule of an organization. Returns false when there was none. */
async function deleteRule(organizationId: string, trx: Database): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("auto_top_ups")
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Pauses the rule of an organization. Returns false when there is none, or it is paused already. */
async function pauseRule(organizationId: string, reason: PauseReason, now: Date, trx: Database): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("auto_top_ups")
    .set({ paused_at: now, pause_reason: reason })
    .where("organization_id", "=", organizationId)
    .where("paused_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records that the admins were told that the limit is reached. Returns false when they were in this month. */
async function markLimitTold(organizationId: string, now: Date, trx: Database): Promise<boolean> {
  const month = sql<string>`${monthStart(now).toISOString().slice(0, 10)}::date`;
  const { numUpdatedRows } = await trx
    .updateTable("auto_top_ups")
    .set({ limit_told_month: month })
    .where("organization_id", "=", organizationId)
    .where("limit_told_month", "is distinct from", month)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
