-- How much credit an organization, or one of its members, may spend in a period. What is spent in the period is counted
-- here when calls are charged, so that no call sums up others.
create table budgets (
  organization_id text not null references organizations (id) on delete cascade,
  -- Null for the budget of the organization.
  user_id text,
  amount_nano_usd numeric(30, 0) not null check (amount_nano_usd >= 0),
  period text not null check (period in ('none', 'day', 'week', 'month')),
  hard boolean not null,
  warning_percent integer not null check (warning_percent between 1 and 100),
  -- The first day, in UTC, of the period that spent_nano_usd counts.
  period_start date not null,
  spent_nano_usd numeric(30, 0) not null check (spent_nano_usd >= 0),
  -- The first day of the period for which it was told that the warning threshold, or the amount, was reached.
  warned_period date,
  reached_period date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique nulls not distinct (organization_id, user_id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);

-- The first day of the period that a moment is in. It never goes back, since clocks of replicas differ a little.
create function budget_period(period text, period_start date, moment timestamptz) returns date language sql stable as $$
  select case period
    when 'none' then period_start
    else greatest(period_start, date_trunc(period, moment at time zone 'UTC')::date)
  end
$$;

alter table credit_reservations add column user_id text;

drop function reserve_credits(text, text, text, numeric, timestamptz, timestamptz);

-- Sets credits aside for a request if the organization has them to spare and its key, its member and the organization may
-- spend them. The lock on the account makes the reservations of an organization follow each other, and each statement
-- sees those before it. A charge takes the same lock before it commits, so what it spent and the reservation that it
-- ended change together.
create function reserve_credits(
  request text, organization text, member text, api_key text, amount numeric, moment timestamptz, expires timestamptz
) returns table (
  outcome text, available numeric, limit_of text, limit_amount numeric, limit_used numeric, limit_reset text,
  -- Whether it is still to be told that the budget which refuses this request is reached.
  is_untold boolean
) language plpgsql as $$
declare
  since date;
  budget budgets;
  is_budgeted boolean;
begin
  -- A reservation lost in a power cut does no harm: the request ended with it. So nobody waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  select balance_nano_usd into available from ledger_accounts where account = 'credits:' || organization for update;
  select coalesce(available, 0) - coalesce(sum(amount_nano_usd), 0),
      exists (select from budgets b where b.organization_id = organization and b.hard)
    into available, is_budgeted
    from credit_reservations where organization_id = organization;
  if available < amount then
    outcome := 'insufficient_credits';
    return next;
    return;
  end if;
  if api_key is not null then
    select 'key', k.spend_limit_nano_usd, k.limit_reset into limit_of, limit_amount, limit_reset
      from api_keys k where k.id = api_key;
  end if;
  if limit_amount is not null then
    since := case limit_reset when 'none' then '-infinity'::date else date_trunc(limit_reset, moment at time zone 'UTC')::date end;
    select coalesce(sum(spent_nano_usd), 0) into limit_used from api_key_spend where api_key_id = api_key and day >= since;
    select limit_used + coalesce(sum(amount_nano_usd), 0) into limit_used
      from credit_reservations where organization_id = organization and api_key_id = api_key;
    if limit_used + amount > limit_amount then
      outcome := 'budget_exceeded';
      return next;
      return;
    end if;
  end if;
  if is_budgeted then
    for budget in
      select * from budgets b
      where b.organization_id = organization and (b.user_id is null or b.user_id = member) and b.hard
      order by b.user_id nulls last
    loop
      since := budget_period(budget.period, budget.period_start, moment);
      if since > budget.period_start then
        budget.spent_nano_usd := 0;
      end if;
      select budget.spent_nano_usd + coalesce(sum(amount_nano_usd), 0) into limit_used from credit_reservations r
        where r.organization_id = organization and (budget.user_id is null or r.user_id = budget.user_id);
      if limit_used + amount > budget.amount_nano_usd then
        outcome := 'budget_exceeded';
        limit_of := case when budget.user_id is null then 'organization' else 'member' end;
        limit_amount := budget.amount_nano_usd;
        limit_reset := budget.period;
        is_untold := budget.reached_period is distinct from since
          and budget.spent_nano_usd + amount > budget.amount_nano_usd
          and budget.spent_nano_usd * 100 >= budget.amount_nano_usd * budget.warning_percent;
        return next;
        return;
      end if;
    end loop;
  end if;
  insert into credit_reservations (request_id, organization_id, user_id, api_key_id, amount_nano_usd, expires_at)
    values (request, organization, member, api_key, amount, expires);
  outcome := 'reserved';
  return next;
end $$;
