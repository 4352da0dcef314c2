import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";

/**
 * Ledger accounts. `credits:<org>` is what an organization may spend, and is never below zero; `balance:<org>` is credit
 * for its next invoices; `disputed:<org>` are credits that are frozen while their payment is disputed; `receivable:<marketplace>` is what a marketplace owes for metered
 * usage, as a negative balance; `write_offs` is what marketplaces refused of it, and `marketplace_fees` what they kept of what they
 * paid; `forfeited` holds the amounts that deleted
 * organizations had left. Accounts from which money comes have negative balances.
 */
export type LedgerAccount =
  | `credits:${string}`
  | `commission:${string}`
  | `balance:${string}`
  | "cash"
  | "revenue:usage"
  | "revenue:subscriptions"
  | "promotions"
  | "rewards"
  | `disputed:${string}`
  | `receivable:${string}`
  | "write_offs"
  | "marketplace_fees"
  | "payouts"
  | "fees"
  | "adjustments"
  | "forfeited";

type LedgerKind =
  | "top_up"
  | "usage"
  | "grant"
  | "reward"
  | "refund"
  | "plan"
  | "subscription"
  | "commission"
  | "payout"
  | "balance"
  | "closing"
  | "dispute"
  | "metering"
  | "write_off"
  | "marketplace_payout"
  | "adjustment";

/** Returns the name of the ledger account that holds the credits of an organization that are frozen. */
export const disputedAccount = (organizationId: string) => `disputed:${organizationId}` as const;

/** A balanced transaction to be posted; amounts are in nano-USD. */
export type LedgerTransaction = {
  kind: LedgerKind;
  organizationId: string | null;
  description: string;
  /** Identifies the event, such as `invoice:inv_1`. Each event is posted once. */
  reference: string;
  requestId?: string | null;
  /** Each account appears at most once; the amounts sum to zero. */
  entries: readonly { account: LedgerAccount; amountNano: bigint }[];
};

/** A posted transaction. `isNew` is false when the event was posted before; the id is that of the earlier one. */
export type PostedTransaction = { id: string; reference: string; isNew: boolean };

type Context = { db: Database; clock: Clock; ids: Ids };

/** The append-only double-entry ledger. Postings within `trx` take effect when it commits. */
export function createLedger(db: Database, clock: Clock, ids: Ids) {
  const context: Context = { db, clock, ids };
  return bind(context, {
    postAll,
    postOnce,
    post: postLedger,
    isPosted,
    balance: readBalance,
  });
}

export type Ledger = ReturnType<typeof createLedger>;

async function insertLedger(
  context: Context,
  transactions: readonly LedgerTransaction[],
  trx: Database,
): Promise<PostedTransaction[]> {
  const { clock, ids } = context;
  for (const transaction of transactions) assertBalanced(transaction);
  const created_at = clock.now();
  const rows = transactions.map((transaction) => ({
    id: ids.next("txn"),
    kind: transaction.kind,
    organization_id: transaction.organizationId,
    description: transaction.description,
    reference: transaction.reference,
    request_id: transaction.requestId ?? null,
    created_at,
  }));
  const inserted = await trx
    .insertInto("ledger_transactions")
    .values(rows)
    .onConflict((conflict) => conflict.column("reference").doNothing())
    .returning(["id", "reference"])
    .execute();
  const insertedIds = new Map(inserted.map(({ id, reference }) => [reference, id]));
  const entries = transactions.flatMap(({ reference, entries }) => {
    const transaction_id = insertedIds.get(reference);
    if (transaction_id === undefined) return [];
    return entries.map(({ account, amountNano }) => ({
      transaction_id,
      account,
      amount_nano_usd: String(amountNano),
    }));
  });
  if (entries.length > 0) await trx.insertInto("ledger_entries").values(entries).execute();
  const earlier = await findEarlier(
    transactions.map(({ reference }) => reference).filter((reference) => !insertedIds.has(reference)),
    trx,
  );
  return transactions.map(({ reference }) => {
    const id = insertedIds.get(reference) ?? earlier.get(reference);
    if (id === undefined) throw new Error(`The ledger transaction ${reference} is neither new nor there.`);
    return { id, reference, isNew: insertedIds.has(reference) };
  });
}

async function findEarlier(references: readonly string[], trx: Database): Promise<Map<string, string>> {
  if (references.length === 0) return new Map();
  const rows = await trx
    .selectFrom("ledger_transactions")
    .select(["id", "reference"])
    .where("reference", "in", references)
    .execute();
  return new Map(rows.map(({ id, reference }) => [reference, id]));
}

async function postAll(
  context: Context,
  transactions: readonly LedgerTransaction[],
  trx?: Database,
): Promise<PostedTransaction[]> {
  const { db } = context;
  if (transactions.length === 0) return [];
  if (trx) return insertLedger(context, transactions, trx);
  return db.transaction().execute((own) => insertLedger(context, transactions, own));
}

/** Posts a transaction and returns its id and whether it is new. */
async function postOnce(context: Context, transaction: LedgerTransaction, trx?: Database): Promise<PostedTransaction> {
  const [posted] = await postAll(context, [transaction], trx);
  if (!posted) throw new Error("The ledger answered nothing.");
  return posted;
}

/** Posts a transaction and returns its id. */
async function postLedger(context: Context, transaction: LedgerTransaction, trx?: Database): Promise<string> {
  const [posted] = await postAll(context, [transaction], trx);
  if (!posted) throw new Error("The ledger answered nothing.");
  return posted.id;
}

/** Returns whether the event was posted before. */
async function isPosted({ db }: Context, reference: string, trx: Database = db): Promise<boolean> {
  return (await findEarlier([reference], trx)).size > 0;
}

async function readBalance({ db }: Context, account: LedgerAccount, trx: Database = db): Promise<bigint> {
  const row = await trx
    .selectFrom("ledger_accounts")
    .select("balance_nano_usd")
    .where("account", "=", account)
    .executeTakeFirst();
  return BigInt(row?.balance_nano_usd ?? 0);
}

function assertBalanced({ reference, entries }: LedgerTransaction): void {
  const sum = entries.reduce((total, { amountNano }) => total + amountNano, 0n);
  if (entries.length < 2 || sum !== 0n)
    throw new Error(`The ledger transaction ${reference} has ${entries.length} entries that sum to ${sum}.`);
}
