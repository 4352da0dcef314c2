import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";

type Finding = { what: string };

/**
 * Checks the ledger against one snapshot of the database. Returns a sentence per inconsistency; empty when there is
 * none.
 */
export async function verifyLedger(db: Database): Promise<string[]> {
  if (db.isTransaction) return runChecks(db);
  return db.transaction().setIsolationLevel("repeatable read").execute(runChecks);
}

async function runChecks(trx: Database): Promise<string[]> {
  const findings: string[] = [];
  for (const query of CHECKS) findings.push(...(await query.execute(trx)).rows.map(({ what }) => what));
  return findings;
}

const CHECKS: readonly RawBuilder<Finding>[] = [
  sql`select 'Transaction ' || transaction_id || ' sums to ' || sum(amount_nano_usd) || ', not to zero.' as what
    from ledger_entries group by transaction_id having sum(amount_nano_usd) <> 0`,
  sql`select 'Transaction ' || id || ' has fewer than two entries.' as what
    from ledger_transactions where (select count(*) from ledger_entries where transaction_id = id) < 2`,
  sql`select 'All entries together sum to ' || sum(amount_nano_usd) || ', not to zero.' as what
    from ledger_entries having sum(amount_nano_usd) <> 0`,
  sql`select 'Account ' || coalesce(a.account, e.account) || ' is kept at ' || coalesce(a.balance_nano_usd, 0) || ' with '
      || coalesce(a.entries, 0) || ' entries, and its ' || coalesce(e.entries, 0) || ' entries sum to ' || coalesce(e.sum, 0)
      || '.' as what
    from ledger_accounts a
    full join (select account, sum(amount_nano_usd) as sum, count(*) as entries from ledger_entries group by account) e
      on e.account = a.account
    where coalesce(a.balance_nano_usd, 0) <> coalesce(e.sum, 0) or coalesce(a.entries, 0) <> coalesce(e.entries, 0)`,
  sql`select 'Account ' || account || ' holds ' || balance_nano_usd || ': credits may not be below zero.' as what
    from ledger_accounts where account similar to '(credits|disputed):%' and balance_nano_usd < 0`,
  sql`select 'Organization ' || coalesce(b.organization_id, split_part(a.account, ':', 2)) || ' has '
      || coalesce(b.balance_cents, 0) || ' minor units of ' || coalesce(b.currency, 'USD')
      || ' kept for its next invoices, and the ledger holds '
      || coalesce(a.balance_nano_usd, 0) || '.' as what
    from billing_accounts b
    full join (select * from ledger_accounts where account like 'balance:%') a on a.account = 'balance:' || b.organization_id
    -- In other currencies, what is kept is worth what the rates said when it was kept, and nothing where nothing is.
    where case when coalesce(b.currency, 'USD') = 'USD'
      then coalesce(a.balance_nano_usd, 0) <> coalesce(b.balance_cents, 0) * 10000000::numeric
      else sign(coalesce(a.balance_nano_usd, 0)) <> sign(b.balance_cents) end`,
  sql`select 'Account ' || account || ' holds ' || balance_nano_usd || ' of an organization that is deleted.' as what
    from ledger_accounts
    where account similar to '(credits|commission|disputed):%' and balance_nano_usd <> 0
      and not exists (select 1 from organizations where id = split_part(account, ':', 2))`,
  sql`select 'Account ' || coalesce(a.account, u.account) || ' holds ' || coalesce(a.balance_nano_usd, 0)
      || ', and usage of ' || coalesce(u.sum, 0) || ' is metered that was neither refused nor paid out.' as what
    from (select * from ledger_accounts where account like 'receivable:%') a
    full join (
      select 'receivable:' || provider as account, sum(amount) as sum
      from (
        select provider, units * unit_price_nano_usd as amount from metered_usage where status <> 'refused'
        union all
        select provider, (amount_cents + fee_cents) * -10000000::numeric from marketplace_payouts where reversed_at is null
      ) as owed group by provider
    ) u on u.account = a.account
    where coalesce(a.balance_nano_usd, 0) <> -coalesce(u.sum, 0)`,
  sql`select 'Request ' || r.id || ' cost ' || r.cost_nano_usd || ', and the ledger booked ' || coalesce(-e.amount_nano_usd, 0)
      || ' for it.' as what
    from requests r
    left join ledger_transactions t on t.reference = 'usage:' || r.id
    left join ledger_entries e on e.transaction_id = t.id and e.account like 'credits:%'
    where r.cost_nano_usd <> coalesce(-e.amount_nano_usd, 0)`,
];
