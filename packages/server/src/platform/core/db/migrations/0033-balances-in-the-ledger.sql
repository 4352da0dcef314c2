-- What is kept for the next invoices of an organization stands in the ledger, as `balance:<organization>`. It came out of
-- what was booked as income when it was paid.
insert into ledger_transactions (id, kind, organization_id, description, reference, created_at)
  select 'txn_' || md5('balance:' || organization_id), 'balance', organization_id, 'Kept for the next invoices',
    'balance:opening:' || organization_id, now()
  from billing_accounts where balance_cents <> 0;
insert into ledger_entries (transaction_id, account, amount_nano_usd)
  select 'txn_' || md5('balance:' || organization_id), account, amount
  from billing_accounts,
    lateral (values ('balance:' || organization_id, balance_cents * 10000000::numeric),
      ('revenue:subscriptions', -balance_cents * 10000000::numeric)) as entries (account, amount)
  where balance_cents <> 0;

-- What organizations had left that are deleted is owed to nobody: it goes to `forfeited`.
create temporary table left_over on commit drop as
  select account, split_part(account, ':', 2) as organization_id, balance_nano_usd
  from ledger_accounts
  where account similar to '(credits|commission):%' and balance_nano_usd <> 0
    and not exists (select 1 from organizations where id = split_part(account, ':', 2));
insert into ledger_transactions (id, kind, organization_id, description, reference, created_at)
  select distinct 'txn_' || md5('closing:' || organization_id), 'closing', organization_id, 'Organization deleted',
    'closing:' || organization_id, now()
  from left_over;
insert into ledger_entries (transaction_id, account, amount_nano_usd)
  select 'txn_' || md5('closing:' || organization_id), account, -balance_nano_usd from left_over
  union all
  select 'txn_' || md5('closing:' || organization_id), 'forfeited', sum(balance_nano_usd) from left_over
    group by organization_id having sum(balance_nano_usd) <> 0;
