-- Backends that admins added. Their keys are encrypted with the secret of the installation.
create table backends (
  id text primary key,
  name text not null unique,
  base_url text not null,
  sealed_api_key bytea,
  models text[] not null default '{}',
  weight numeric(10, 3) not null default 1 check (weight > 0),
  enabled boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table incidents (
  id text primary key,
  title text not null,
  body text not null,
  state text not null check (state in ('investigating', 'identified', 'monitoring', 'resolved')),
  started_at timestamptz not null,
  updated_at timestamptz not null,
  resolved_at timestamptz
);
create index incidents_by_start on incidents (started_at desc);

create table route_rules (
  id text primary key,
  position integer not null,
  path_glob text not null,
  redirect_to text not null,
  status integer not null default 302 check (status in (301, 302, 303, 307, 308)),
  external boolean not null default false,
  when_auth boolean,
  when_plan text,
  when_email_verified boolean,
  created_at timestamptz not null default now()
);
create index route_rules_by_position on route_rules (position);
insert into route_rules (id, position, path_glob, redirect_to, when_auth, when_email_verified)
  values ('rule_verify_email', 1, '/account/**', '/account/verify-email', true, false);

-- Calls that were refused because all units were in use, by minute.
create table unit_refusals (
  organization_id text not null references organizations (id) on delete cascade,
  minute timestamptz not null,
  refused integer not null,
  primary key (organization_id, minute)
);

-- Sums of requests by hour. A trigger keeps them in the transaction that writes the requests, so they are always exact.
create table usage_hours (
  hour timestamptz not null,
  organization_id text not null references organizations (id) on delete cascade,
  model_id text not null,
  model_class_id text not null,
  backend text not null,
  outcome text not null,
  requests bigint not null,
  errors bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cost_nano_usd numeric(30, 0) not null default 0,
  primary key (organization_id, hour, model_id, model_class_id, backend, outcome)
);
create index usage_hours_by_hour on usage_hours (hour);

create function sum_up_requests() returns trigger language plpgsql as $$
begin
  insert into usage_hours as sums
  select date_trunc('hour', started_at, 'UTC'), organization_id, model_id, model_class_id, coalesce(backend, ''), outcome,
    count(*), count(*) filter (where outcome = 'failed'), sum(prompt_tokens), sum(completion_tokens), sum(cost_nano_usd)
  from written
  group by 1, 2, 3, 4, 5, 6
  order by 1, 2, 3, 4, 5, 6
  on conflict (organization_id, hour, model_id, model_class_id, backend, outcome) do update set
    requests = sums.requests + excluded.requests,
    errors = sums.errors + excluded.errors,
    prompt_tokens = sums.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = sums.completion_tokens + excluded.completion_tokens,
    cost_nano_usd = sums.cost_nano_usd + excluded.cost_nano_usd;
  return null;
end $$;
create trigger requests_are_summed_up after insert on requests
  referencing new table as written for each statement execute function sum_up_requests();
