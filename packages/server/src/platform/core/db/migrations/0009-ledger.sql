-- Money in integer nano-USD (1e-9 USD), booked twice: what leaves one account arrives in another, so that the entries of
-- each transaction, and of all together, sum to zero. The balance of an account is what came in less what went out;
-- accounts where money comes from, such as `cash` or `promotions`, stand below zero.
-- Rows outlive the organizations they name, so there are no foreign keys to those.
create table ledger_transactions (
  id text primary key,
  kind text not null,
  organization_id text,
  description text not null,
  -- Names the event that was booked. The same event is booked once.
  reference text not null unique,
  request_id text,
  created_at timestamptz not null
);

create table ledger_entries (
  sequence bigint generated always as identity unique,
  transaction_id text not null references ledger_transactions (id),
  account text not null,
  amount_nano_usd numeric(30, 0) not null check (amount_nano_usd <> 0),
  primary key (transaction_id, account)
);
create index ledger_entries_by_account on ledger_entries (account, sequence desc);

-- The sums of the entries, kept by a trigger below and checked by the command verify-ledger.
create table ledger_accounts (
  account text primary key,
  balance_nano_usd numeric(30, 0) not null default 0,
  entries bigint not null default 0,
  constraint credits_are_never_negative check (account not like 'credits:%' or balance_nano_usd >= 0)
);

create trigger ledger_transactions_are_append_only before update or delete or truncate on ledger_transactions
  for each statement execute function refuse_change();
create trigger ledger_entries_are_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- Accounts are locked in the order of their names, so that two transactions cannot wait for each other.
create function sum_up_ledger_entries() returns trigger language plpgsql as $$
declare
  line record;
begin
  for line in
    select account, sum(amount_nano_usd) as amount, count(*) as entries from written group by account order by account
  loop
    insert into ledger_accounts (account) values (line.account) on conflict do nothing;
    update ledger_accounts
      set balance_nano_usd = balance_nano_usd + line.amount, entries = ledger_accounts.entries + line.entries
      where account = line.account;
  end loop;
  return null;
end $$;
create trigger ledger_entries_are_summed_up after insert on ledger_entries
  referencing new table as written for each statement execute function sum_up_ledger_entries();

create function refuse_unbalanced_transaction() returns trigger language plpgsql as $$
declare
  total numeric;
begin
  select sum(amount_nano_usd) into total from ledger_entries where transaction_id = new.transaction_id;
  if total <> 0 then
    raise exception 'the entries of ledger transaction % sum to %, not to zero', new.transaction_id, total
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_transactions_sum_to_zero after insert on ledger_entries
  deferrable initially deferred for each row execute function refuse_unbalanced_transaction();

-- Credits set aside for requests in flight. Who runs a request renews its row; one that was not renewed in time belongs
-- to a process that died, and is taken away.
create table credit_reservations (
  request_id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  api_key_id text,
  amount_nano_usd numeric(30, 0) not null check (amount_nano_usd >= 0),
  expires_at timestamptz not null
);
create index credit_reservations_by_organization on credit_reservations (organization_id);
create index credit_reservations_by_expiry on credit_reservations (expires_at);

-- What the requests of a key cost, by UTC day, for its spend limit.
create table api_key_spend (
  api_key_id text not null references api_keys (id) on delete cascade,
  day date not null,
  spent_nano_usd numeric(30, 0) not null,
  primary key (api_key_id, day)
);

-- Sets credits aside for a request if the organization has them to spare and the key may spend them. The lock on the
-- account makes the reservations of an organization follow each other, and each statement sees those before it.
create function reserve_credits(
  request text, organization text, api_key text, amount numeric, moment timestamptz, expires timestamptz
) returns table (outcome text, available numeric, key_limit numeric, key_used numeric, key_reset text)
language plpgsql as $$
declare
  since date;
begin
  -- A reservation lost in a power cut does no harm: the request ended with it. So nobody waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  select balance_nano_usd into available from ledger_accounts where account = 'credits:' || organization for update;
  select coalesce(available, 0) - coalesce(sum(amount_nano_usd), 0) into available
    from credit_reservations where organization_id = organization;
  if available < amount then
    outcome := 'insufficient_credits';
    return next;
    return;
  end if;
  select spend_limit_nano_usd, limit_reset into key_limit, key_reset from api_keys where id = api_key;
  if key_limit is not null then
    since := case key_reset when 'none' then '-infinity'::date else date_trunc(key_reset, moment at time zone 'UTC')::date end;
    select coalesce(sum(spent_nano_usd), 0) into key_used from api_key_spend where api_key_id = api_key and day >= since;
    select key_used + coalesce(sum(amount_nano_usd), 0) into key_used
      from credit_reservations where organization_id = organization and api_key_id = api_key;
    if key_used + amount > key_limit then
      outcome := 'budget_exceeded';
      return next;
      return;
    end if;
  end if;
  insert into credit_reservations (request_id, organization_id, api_key_id, amount_nano_usd, expires_at)
    values (request, organization, api_key, amount, expires);
  outcome := 'reserved';
  return next;
end $$;

-- What metered plans pay: for one model, for a class of models, or by size for all others. Rows are added, never changed.
create table prices (
  id text primary key,
  scope text not null check (scope in ('model', 'model_class', 'size')),
  target text not null,
  -- USD for one token, image or request.
  prompt numeric(24, 15) not null check (prompt >= 0),
  completion numeric(24, 15) not null check (completion >= 0),
  image numeric(24, 15) not null default 0 check (image >= 0),
  request numeric(24, 15) not null default 0 check (request >= 0),
  effective_at timestamptz not null,
  created_by text,
  created_at timestamptz not null,
  unique (scope, target, effective_at)
);
create trigger prices_are_append_only before update or delete or truncate on prices
  for each statement execute function refuse_change();

-- Our own figures to begin with, so that no request is without a price. Operators add others.
insert into prices (id, scope, target, prompt, completion, effective_at, created_at)
select 'price_' || replace(target, '-', '_'), 'size', target, prompt, completion, '2000-01-01T00:00:00Z', now()
from (values
  ('up-to-4b', 0.00000005, 0.00000010),
  ('up-to-15b', 0.00000010, 0.00000020),
  ('up-to-34b', 0.00000025, 0.00000050),
  ('up-to-80b', 0.00000060, 0.00000090),
  ('up-to-250b', 0.00000100, 0.00000200),
  ('over-250b', 0.00000200, 0.00000400),
  ('unknown-size', 0.00000060, 0.00000090)
) as figures (target, prompt, completion);

-- What a request cost, and how that was reckoned. Requests on flat plans keep the defaults.
alter table requests
  add column billing_mode text not null default 'subscription' check (billing_mode in ('subscription', 'request_pricing')),
  add column cost_status text not null default 'not_applicable' check (cost_status in ('final', 'not_applicable', 'unavailable')),
  add column cost_nano_usd numeric(30, 0) not null default 0 check (cost_nano_usd >= 0),
  add column price_id text references prices (id),
  add column images integer not null default 0,
  add column prompt_price numeric(24, 15),
  add column completion_price numeric(24, 15),
  add column image_price numeric(24, 15),
  add column request_price numeric(24, 15);
