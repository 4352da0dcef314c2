-- Credits that are bought without a further question when the balance is low.
create table auto_top_ups (
  organization_id text primary key references organizations (id) on delete cascade,
  -- Who switched it on, in whose name it buys.
  user_id text not null,
  threshold_cents integer not null check (threshold_cents > 0),
  amount_cents integer not null check (amount_cents > 0),
  monthly_limit_cents integer not null check (monthly_limit_cents > 0),
  paused_at timestamptz,
  pause_reason text check (pause_reason in ('card_declined', 'not_confirmed', 'no_card', 'refunded', 'disputed')),
  -- The first day of the month in which the admins were told that its limit is reached.
  limit_told_month date,
  updated_at timestamptz not null,
  check ((paused_at is null) = (pause_reason is null))
);
alter table payments add column is_automatic boolean not null default false;
