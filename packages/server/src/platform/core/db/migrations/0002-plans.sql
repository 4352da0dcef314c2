create table plans (
  id text primary key,
  name text not null,
  description text not null,
  audience text not null check (audience in ('individual', 'business', 'custom')),
  billing_mode text not null check (billing_mode in ('subscription', 'request_pricing')),
  price_usd_cents integer check (price_usd_cents >= 0),
  billing_interval text not null default 'month' check (billing_interval in ('month', 'year')),
  unit_based boolean not null default false,
  min_quantity integer not null default 1,
  max_quantity integer not null default 1,
  concurrency integer check (concurrency > 0),
  max_model_size bigint,
  max_context_length integer,
  model_switches_per_minute integer,
  daily_request_limit integer,
  private_models integer,
  private_cloud boolean not null default false,
  api_keys_max integer not null,
  trial_days integer not null default 0,
  features text[] not null default '{}',
  is_public boolean not null default true,
  position integer not null default 0
);

create table subscriptions (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  plan_id text not null references plans (id),
  quantity integer not null default 1 check (quantity > 0),
  status text not null check (status in ('trialing', 'active', 'past_due', 'paused', 'canceled')),
  current_period_start_date timestamptz not null default now(),
  current_period_end_date timestamptz,
  cancel_at_period_end boolean not null default false,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create unique index one_live_subscription on subscriptions (organization_id) where ended_at is null;
