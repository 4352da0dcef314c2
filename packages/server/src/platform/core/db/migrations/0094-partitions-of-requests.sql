-- Usage rows get a partition for each month, so that old ones can be removed at once. The rows that exist stay where they
-- are, in one partition up to the end of this month; only their primary key is built anew, since it has to hold the time.

-- What was removed, so that reports can say since when they are complete.
create table usage_removals (
  -- Requests that started before it were removed.
  until timestamptz primary key,
  removed_at timestamptz not null default now()
);

create function request_partitions() returns table (partition name, since timestamptz, until timestamptz)
  language sql stable set search_path = pg_catalog, pg_temp set timezone = 'UTC' as $$
  select relname,
    coalesce(substring(bound from $re$FROM \('([^']+)'\)$re$)::timestamptz, '-infinity'),
    substring(bound from $re$TO \('([^']+)'\)$re$)::timestamptz
  from (
    select relname, pg_get_expr(relpartbound, pg_class.oid) as bound
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'public.requests'::regclass
  ) as bounds
  where bound <> 'DEFAULT'
$$;

-- Creates the partitions of the month of `moment` and of the twelve months after it, and of those months that have rows in
-- the default partition. It runs as the owner of the tables, because the server's role may not create any.
create function create_request_partitions(moment timestamptz) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set timezone = 'UTC' set lock_timeout = '3s' as $$
declare
  horizon constant timestamptz := date_trunc('month', moment) + interval '13 months';
  month timestamptz;
  partition text;
begin
  -- Two at once follow each other; reading and writing go on.
  lock table public.requests in share update exclusive mode;
  for month in
    select generate_series(date_trunc('month', moment), horizon - interval '1 month', interval '1 month')
    union
    select date_trunc('month', started_at) from public.requests_default where started_at < horizon
    order by 1
  loop
    continue when exists (select from public.request_partitions() where since <= month and month < until);
    partition := 'requests_' || to_char(month, 'YYYY_MM');
    execute format('create table public.%I (like public.requests including all excluding indexes)', partition);
    execute format(
      'with moved as (delete from public.requests_default where started_at >= %L and started_at < %L returning *)
       insert into public.%I select * from moved', month, month + interval '1 month', partition);
    execute format('alter table public.requests attach partition public.%I for values from (%L) to (%L)',
      partition, month, month + interval '1 month');
  end loop;
end $$;

-- Removes the partitions that lie wholly before `cut`, and returns how many. The default partition stays.
create function drop_request_partitions(cut timestamptz) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set timezone = 'UTC' set lock_timeout = '3s' as $$
declare
  old record;
  had_rows boolean;
  dropped integer := 0;
begin
  lock table public.requests in share update exclusive mode;
  for old in select * from public.request_partitions() where until <= cut order by until loop
    execute format('select exists (select from public.%I)', old.partition) into had_rows;
    if had_rows then insert into public.usage_removals (until) values (old.until) on conflict do nothing; end if;
    execute format('drop table public.%I', old.partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

revoke execute on function request_partitions(), create_request_partitions(timestamptz), drop_request_partitions(timestamptz)
  from public;

do $$
declare
  this_month constant timestamp := date_trunc('month', now() at time zone 'UTC');
  next_month constant timestamptz := (this_month + interval '1 month') at time zone 'UTC';
  old constant text := 'requests_until_' || to_char(this_month, 'YYYY_MM');
  privilege record;
begin
  drop trigger requests_are_summed_up on requests;
  alter table requests drop constraint requests_pkey;
  execute format('alter index requests_by_organization rename to %I', old || '_by_organization');
  execute format('alter index requests_by_time rename to %I', old || '_by_time');
  execute format('alter table requests rename to %I', old);

  execute format('create table requests (like %I including all excluding indexes) partition by range (started_at)', old);
  alter table requests
    add primary key (id, started_at),
    add constraint requests_price_id_fkey foreign key (price_id) references prices (id);
  create index requests_by_organization on requests (organization_id, started_at desc);
  create index requests_by_time on requests using brin (started_at) with (pages_per_range = 32, autosummarize = on);
  create trigger requests_are_summed_up after insert on requests
    referencing new table as written for each statement execute function sum_up_requests();
  for privilege in execute format(
    'select distinct coalesce(quote_ident(rolname), ''public'') as role, privilege_type as type
     from pg_class, aclexplode(relacl) left join pg_roles on pg_roles.oid = grantee
     where pg_class.oid = %L::regclass and grantee <> relowner', old)
  loop
    execute format('grant %s on requests to %s', privilege.type, privilege.role);
  end loop;

  -- Rows of times that have no month yet, so that none is ever refused.
  create table requests_default partition of requests default;
  execute format(
    'with later as (delete from %I where started_at >= %L returning *) insert into requests_default select * from later',
    old, next_month);
  execute format('alter table requests attach partition %I for values from (minvalue) to (%L)', old, next_month);
end $$;

-- A database without usage needs no partition for the time before.
do $$
declare
  old name := (select partition from request_partitions());
  has_rows boolean;
begin
  execute format('select exists (select from %I)', old) into has_rows;
  if not has_rows then execute format('drop table %I', old); end if;
end $$;

select create_request_partitions(now());
