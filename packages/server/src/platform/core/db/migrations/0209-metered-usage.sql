-- The id under which the usage of a purchase is reported, in the words of its driver; null until the marketplace says it.
alter table marketplace_accounts add column usage_id text;

-- What is metered for an offer at a marketplace.
create table marketplace_meters (
  provider text not null check (provider in ('aws', 'azure', 'gcp')),
  offer text not null,
  dimension text not null,
  unit_price_nano_usd numeric(30, 0) not null check (unit_price_nano_usd > 0),
  -- The most that an organization may use in a calendar month.
  max_monthly_cents integer not null check (max_monthly_cents > 0),
  updated_at timestamptz not null,
  primary key (provider, offer)
);

-- How much an organization lets a marketplace bill it in a calendar month, beyond its credits.
create table metering_limits (
  organization_id text primary key references organizations (id) on delete cascade,
  -- Null while metered usage is off.
  monthly_limit_cents integer check (monthly_limit_cents > 0),
  updated_at timestamptz not null
);

-- What was drawn beyond the credits of an organization in an hour, in units of the marketplace. It is billed after an
-- organization is deleted too, so there are no foreign keys, and all that a report needs is here.
create table metered_usage (
  id text primary key,
  organization_id text not null,
  provider text not null check (provider in ('aws', 'azure', 'gcp')),
  reference text not null,
  usage_id text not null,
  offer text not null,
  dimension text not null,
  -- The beginning of the hour under which it is reported. A marketplace takes one report for an hour.
  hour timestamptz not null,
  -- When the first and the last of it was drawn.
  started_at timestamptz not null,
  ended_at timestamptz not null,
  units bigint not null check (units > 0),
  unit_price_nano_usd numeric(30, 0) not null check (unit_price_nano_usd > 0),
  status text not null check (status in ('open', 'due', 'sent', 'accepted', 'refused')),
  -- What the marketplace last answered against it.
  reason text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  settled_at timestamptz,
  is_test boolean not null,
  unique (provider, reference, dimension, hour)
);
create index metered_usage_by_organization on metered_usage (organization_id, hour);
create index metered_usage_by_hour on metered_usage (hour, id);
create index metered_usage_to_close on metered_usage (hour) where status = 'open';
create index metered_usage_to_send on metered_usage (provider, next_attempt_at) where status in ('due', 'sent');
