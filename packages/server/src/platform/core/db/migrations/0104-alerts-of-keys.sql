-- The last webhook event of the spend limit of an API key: that its end is near, or that it is reached. A row holds for the
-- limit and the period that it names, so another limit, or the next period, has events of its own.
create table api_key_alerts (
  api_key_id text primary key references api_keys (id) on delete cascade,
  spend_limit_nano_usd numeric(30, 0) not null,
  limit_reset text not null,
  -- The first day of the period, in UTC; -infinity for a limit that does not reset.
  period_start date not null,
  is_reached boolean not null
);

-- The first day, in UTC, of the period that a limit of a key is counted in.
create function key_period(limit_reset text, moment timestamptz) returns date language sql stable as $$
  select case limit_reset when 'none' then '-infinity'::date else date_trunc(limit_reset, moment at time zone 'UTC')::date end
$$;

-- As before, and it says of a key's limit too whether the event that it is reached is still to be recorded.
create or replace function reserve_credits(
  request text, organization text, member text, api_key text, amount numeric, moment timestamptz, expires timestamptz
) returns table (
  outcome text, available numeric, limit_of text, limit_amount numeric, limit_used numeric, limit_reset text,
  -- Whether the event that the limit which refuses this request is reached is still to be recorded.
  is_untold boolean
) language plpgsql as $$
declare
  since date;
  spent numeric;
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
    since := key_period(limit_reset, moment);
    select coalesce(sum(spent_nano_usd), 0) into spent from api_key_spend where api_key_id = api_key and day >= since;
    select spent + coalesce(sum(amount_nano_usd), 0) into limit_used
      from credit_reservations where organization_id = organization and api_key_id = api_key;
    if limit_used + amount > limit_amount then
      outcome := 'budget_exceeded';
      is_untold := spent + amount > limit_amount and spent * 100 >= limit_amount * 80 and not exists (
        select from api_key_alerts a
        where a.api_key_id = api_key and a.spend_limit_nano_usd = limit_amount and a.limit_reset = reserve_credits.limit_reset
          and a.period_start = since and a.is_reached);
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
