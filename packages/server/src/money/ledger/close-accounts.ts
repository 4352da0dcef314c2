import { sql } from "kysely";
import type { Audit } from "../../platform/core/audit.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { LOCKS } from "../../platform/core/db/locks.ts";
import { disputedAccount, type Ledger, type LedgerAccount } from "./ledger.ts";

/** The amount in nano-USD that was forfeited when the accounts of an organization were closed. */
export type ClosedAccounts = { organizationId: string; amountNano: bigint };

/**
 * Posts the remaining amounts on an organization's accounts as forfeited, and returns the sum in nano-USD. `reference`
 * identifies the transaction, which is posted once.
 */
export async function closeAccounts(
  ledger: Ledger,
  organizationId: string,
  reference: string,
  trx: Database,
): Promise<bigint> {
  await sql`select pg_advisory_xact_lock(${LOCKS.ledger})`.execute(trx);
  const accounts = [
    `balance:${organizationId}`,
    `commission:${organizationId}`,
    `credits:${organizationId}`,
    disputedAccount(organizationId),
  ] as const;
  await trx
    .selectFrom("ledger_accounts")
    .select("account")
    .where("account", "in", accounts)
    .orderBy("account")
    .forUpdate()
    .execute();
  const remaining: { account: LedgerAccount; amountNano: bigint }[] = [];
  for (const account of accounts) remaining.push({ account, amountNano: -(await ledger.balance(account, trx)) });
  const sum = remaining.reduce((total, { amountNano }) => total - amountNano, 0n);
  const entries = [...remaining, { account: "forfeited" as const, amountNano: sum }].filter(
    (one) => one.amountNano !== 0n,
  );
  if (entries.length > 0)
    await ledger.post(
      { kind: "closing", organizationId, description: "Organization deleted", reference, entries },
      trx,
    );
  return sum;
}

/**
 * Closes the accounts of deleted organizations that still have an amount, each with an entry in the audit log. Returns the
 * forfeited amounts.
 */
export async function closeAccountsOfDeleted(db: Database, ledger: Ledger, audit: Audit): Promise<ClosedAccounts[]> {
  return db.transaction().execute(async (trx) => {
    const closed: ClosedAccounts[] = [];
    for (const organizationId of await listDeletedWithBalance(trx)) {
      const earlier = await countClosings(organizationId, trx);
      const amountNano = await closeAccounts(ledger, organizationId, `closing:${organizationId}:${earlier + 1}`, trx);
      const details = { amount_nano_usd: String(amountNano) };
      await audit.record(
        { userId: null, organizationId, action: "ledger.close_accounts", target: organizationId, details },
        trx,
      );
      closed.push({ organizationId, amountNano });
    }
    return closed;
  });
}

async function listDeletedWithBalance(trx: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct split_part(account, ':', 2) as id from ledger_accounts
    where account similar to '(balance|commission|credits|disputed):%' and balance_nano_usd <> 0
      and not exists (select 1 from organizations where id = split_part(account, ':', 2))
    order by id`.execute(trx);
  return rows.map(({ id }) => id);
}

async function countClosings(organizationId: string, trx: Database): Promise<number> {
  const { count } = await trx
    .selectFrom("ledger_transactions")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("kind", "=", "closing")
    .executeTakeFirstOrThrow();
  return Number(count);
}
