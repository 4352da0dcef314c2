import { sql } from "kysely";
import { insertUsageRows, type UsageRow, type UsageStore } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { LOCKS } from "../../platform/core/db/locks.ts";
import type { Events } from "../../platform/core/events.ts";
import { modelIdOf } from "../../platform/core/models/model-keys.ts";
import type { BudgetSpending } from "../budgets/index.ts";
import type { Ledger, LedgerTransaction } from "../ledger/index.ts";
import { creditsAccount, lockAllCredits } from "./credits.repository.ts";
import { recordKeySpending } from "./key-alerts.ts";
import { recordLowCredits } from "./low-credits.ts";
import type { Reservations } from "./reservations.ts";

type Context = {
  ledger: Ledger;
  reservations: Reservations;
  budgetSpending: BudgetSpending;
  events: Events;
  clock: Clock;
};

/**
 * Writes usage rows and charges for them in one transaction, so that each written request is charged exactly once. A
 * request that costs more than its reservation is charged as far as credits are available, not counting the
 * reservations of other requests.
 */
export function createSettlement(context: Context): UsageStore {
  return bind(context, {
    write: writeRows,
    discard: discardRow,
  });
}

async function chargeRow(metered: readonly UsageRow[], trx: Database): Promise<readonly UsageRow[]> {
  // One process settles at a time: each locks rows of several tables, so concurrent ones could deadlock.
  await sql`select pg_advisory_xact_lock(${LOCKS.settlement})`.execute(trx);
  const ids = metered.map(({ id }) => id);
  const deletedReservations = await trx
    .deleteFrom("credit_reservations")
    .where("request_id", "in", ids)
    .returning(["request_id", "amount_nano_usd"])
    .execute();
  const reserved = new Map(
    deletedReservations.map(({ request_id, amount_nano_usd }) => [request_id, BigInt(amount_nano_usd)]),
  );
  // Credits that a request has reserved are available. Only rows that cost more need the locks on the accounts, which block
  // new reservations.
  return metered.every((row) => costOfRow(row) <= (reserved.get(row.id) ?? 0n)) ? metered : capRow(metered, trx);
}

/** Limits the cost of each request to the credits that are available to it. */
async function capRow(metered: readonly UsageRow[], trx: Database): Promise<UsageRow[]> {
  const organizations = [...new Set(metered.map(({ organization_id }) => organization_id))].sort();
  const credits = await lockAllCredits(organizations, trx);
  const available = new Map(credits.map((organization) => [organization.organizationId, organization.available]));
  return metered.map((row) => {
    const remainingNano = available.get(row.organization_id) ?? 0n;
    const cost = minBigInt(costOfRow(row), remainingNano > 0n ? remainingNano : 0n);
    available.set(row.organization_id, remainingNano - cost);
    return { ...row, cost_nano_usd: String(cost) };
  });
}

async function recordCharges(context: Context, charged: readonly UsageRow[], trx: Database): Promise<void> {
  const { ledger, budgetSpending } = context;
  await addKeySpend(context, charged, trx);
  await budgetSpending.recordCharges(charged, trx);
  await ledger.postAll(charged.map(toLedgerTransaction), trx); // last, because it locks the accounts
  await recordLowCredits(context, charged, trx);
}

async function addKeySpend(context: Context, charged: readonly UsageRow[], trx: Database): Promise<void> {
  const rows = sumByKeyAndDay(charged);
  if (rows.length === 0) return;
  await trx
    .insertInto("api_key_spend")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["api_key_id", "day"]).doUpdateSet({
        spent_nano_usd: sql<string>`api_key_spend.spent_nano_usd + excluded.spent_nano_usd`,
      }),
    )
    .execute();
  await recordKeySpending(context, [...new Set(rows.map(({ api_key_id }) => api_key_id))], trx);
}

/** Sums the charges for calls with API keys, by key and by the UTC day on which the call began. Sorted by key and day. */
function sumByKeyAndDay(charged: readonly UsageRow[]) {
  const sums = new Map<string, { api_key_id: string; day: string; sum: bigint }>();
  for (const row of charged) {
    if (!row.api_key_id) continue;
    const day = new Date(row.started_at).toISOString().slice(0, 10);
    const key = `${row.api_key_id} ${day}`;
    const sum = (sums.get(key)?.sum ?? 0n) + costOfRow(row);
    sums.set(key, { api_key_id: row.api_key_id, day, sum });
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { api_key_id, day, sum }]) => ({ api_key_id, day, spent_nano_usd: String(sum) }));
}

/** Writes rows and charges for them. Rows that exist already are not charged again. */
async function writeRows(
  context: Context,
  rows: Parameters<UsageStore["write"]>[0],
  db: Parameters<UsageStore["write"]>[1],
) {
  const { reservations } = context;
  const metered = rows.filter(({ billing_mode }) => billing_mode === "request_pricing");
  if (metered.length === 0) return void (await insertUsageRows(rows, db));
  await db.transaction().execute(async (trx) => {
    const charged = await chargeRow(metered, trx);
    const byId = new Map(charged.map((row) => [row.id, row]));
    const written = await insertUsageRows(
      rows.map((row) => byId.get(row.id) ?? row),
      trx,
    );
    await recordCharges(
      context,
      charged.filter((row) => written.has(row.id) && costOfRow(row) > 0n),
      trx,
    );
  });
  reservations.markSettled(metered.map(({ id }) => id));
}

/** Discards a row that the database rejects. Its credits are released when the reservation expires. */
function discardRow({ reservations }: Context, row: Parameters<UsageStore["discard"]>[0]) {
  return reservations.markSettled([row.id]);
}

function toLedgerTransaction(row: UsageRow): LedgerTransaction {
  return {
    kind: "usage",
    organizationId: row.organization_id,
    description: modelIdOf(row.model_id),
    reference: `usage:${row.id}`,
    requestId: row.id,
    entries: [
      { account: creditsAccount(row.organization_id), amountNano: -costOfRow(row) },
      { account: "revenue:usage", amountNano: costOfRow(row) },
    ],
  };
}

function minBigInt(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function costOfRow(row: UsageRow): bigint {
  return BigInt(row.cost_nano_usd ?? 0);
}
