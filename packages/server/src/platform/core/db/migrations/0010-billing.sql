-- What an organization is to the payment service. Whoever changes its subscription locks this row first and counts
-- `version` up, so that a purchase that was reckoned before a change is not carried out after it.
create table billing_accounts (
  organization_id text primary key references organizations (id) on delete cascade,
  version integer not null default 0,
  -- What a change to a cheaper plan left over, for the next invoices.
  balance_cents integer not null default 0 check (balance_cents >= 0),
  retention_taken_at timestamptz
);

create table coupons (
  code text primary key,
  percent_off numeric(5, 2) check (percent_off > 0 and percent_off <= 100),
  amount_off_cents integer check (amount_off_cents > 0),
  duration text not null check (duration in ('once', 'repeating', 'forever')),
  months integer check (months > 0),
  applies_to text[] not null default '{}',
  redeem_by_date timestamptz,
  max_redemptions integer check (max_redemptions > 0),
  redemptions integer not null default 0,
  -- Offered to those who are about to leave.
  is_retention boolean not null default false,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint one_kind_of_reduction check ((percent_off is null) <> (amount_off_cents is null)),
  constraint months_of_repeating check ((duration = 'repeating') = (months is not null)),
  constraint redemptions_are_allowed check (max_redemptions is null or redemptions <= max_redemptions)
);
create unique index coupons_by_code on coupons (upper(code));
create unique index one_retention_coupon on coupons (is_retention) where is_retention and ended_at is null;
insert into coupons (code, percent_off, duration, months, is_retention) values ('STAY20', 20, 'repeating', 3, true);

create table coupon_redemptions (
  coupon_code text not null references coupons (code),
  organization_id text not null references organizations (id) on delete cascade,
  redeemed_at timestamptz not null,
  primary key (coupon_code, organization_id)
);

alter table subscriptions
  -- Periods are counted from here. Without it nobody pays here: an admin granted it, or a marketplace collects.
  add column anchor_date timestamptz,
  add column period_index integer not null default 0,
  add column billing_interval text not null default 'month' check (billing_interval in ('month', 'year')),
  -- What was paid for the time from then to the end of the period.
  add column value_cents integer not null default 0 check (value_cents >= 0),
  add column value_from_date timestamptz,
  add column trial_end_date timestamptz,
  add column coupon_code text references coupons (code),
  add column coupon_end_date timestamptz,
  add column pending_plan_id text references plans (id),
  add column pending_quantity integer check (pending_quantity > 0),
  add constraint pending_change_is_whole check ((pending_plan_id is null) = (pending_quantity is null));
create index subscriptions_due on subscriptions (current_period_end_date) where ended_at is null and anchor_date is not null;
create index subscriptions_by_organization on subscriptions (organization_id, created_at desc);

-- Cards stay here when they were removed: their fingerprints tell whether a trial or a friend is a new one.
create table payment_methods (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  driver text not null,
  reference text not null,
  fingerprint text not null,
  brand text not null,
  last4 text not null,
  exp_month integer not null,
  exp_year integer not null,
  is_default boolean not null default false,
  is_test boolean not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create unique index one_default_payment_method on payment_methods (organization_id) where is_default and deleted_at is null;
create index payment_methods_by_organization on payment_methods (organization_id, created_at desc);
create index payment_methods_by_fingerprint on payment_methods (fingerprint);

create table setup_intents (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  client_secret_hash bytea not null unique,
  status text not null check (status in ('requires_payment_method', 'requires_action', 'succeeded', 'canceled')),
  -- What the payment service knows of the card, until it is attached.
  card jsonb,
  -- Of the page at which the buyer confirms the card, where their bank asks for that.
  authentication_hash bytea unique,
  payment_method_id text references payment_methods (id) on delete cascade,
  is_test boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index setup_intents_by_organization on setup_intents (organization_id);

-- Numbers of invoices, by year. The row is locked by who takes the next, so that no number is left out.
create table invoice_numbers (
  year integer primary key,
  last integer not null
);

-- Invoices outlive the organizations they name.
create table invoices (
  id text primary key,
  organization_id text not null,
  number text not null unique,
  kind text not null check (kind in ('period', 'change', 'top_up')),
  status text not null check (status in ('draft', 'open', 'paid', 'void', 'uncollectible')),
  subscription_id text,
  plan_id text,
  quantity integer,
  period_start_date timestamptz,
  period_end_date timestamptz,
  lines jsonb not null,
  subtotal_cents integer not null,
  discount_cents integer not null,
  tax_cents integer not null,
  total_cents integer not null check (total_cents >= 0),
  refunded_cents integer not null default 0 check (refunded_cents >= 0 and refunded_cents <= total_cents),
  -- Credits that come with it once it is paid.
  credit_cents integer not null default 0 check (credit_cents >= 0),
  coupon_code text,
  billed_to jsonb not null,
  is_test boolean not null,
  -- How often it was tried to collect, and when that is tried again.
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  paid_at timestamptz,
  constraint invoices_add_up check (total_cents = subtotal_cents - discount_cents + tax_cents)
);
create index invoices_by_organization on invoices (organization_id, created_at desc, number desc);
create index invoices_to_collect on invoices (next_attempt_at) where status = 'open';
create unique index one_invoice_per_period on invoices (subscription_id, period_start_date) where kind = 'period';

-- Every attempt to charge. What is bought by it stands in `purchase` until the payment service has confirmed it.
create table payments (
  id text primary key,
  organization_id text not null,
  purpose text not null check (purpose in ('invoice', 'change', 'top_up')),
  invoice_id text references invoices (id),
  amount_cents integer not null check (amount_cents > 0),
  status text not null check (status in ('pending', 'requires_action', 'succeeded', 'failed')),
  payment_method_id text,
  driver text not null,
  is_test boolean not null,
  failure_code text,
  -- The call that asked for it, so that the same call charges once.
  idempotency_id text unique,
  purchase jsonb,
  -- What came of it: the id of a ledger transaction, or why it was given back.
  outcome text,
  refunded_cents integer not null default 0 check (refunded_cents >= 0 and refunded_cents <= amount_cents),
  -- How much is to be given back in all; the payment service is told until it is done.
  refund_target_cents integer not null default 0 check (refund_target_cents >= 0 and refund_target_cents <= amount_cents),
  created_at timestamptz not null,
  settled_at timestamptz
);
create unique index one_payment_per_invoice on payments (invoice_id)
  where invoice_id is not null and status in ('pending', 'requires_action', 'succeeded');
create unique index one_open_change on payments (organization_id)
  where purpose = 'change' and status in ('pending', 'requires_action');
create index payments_unsettled on payments (created_at) where status in ('pending', 'requires_action');
create index payments_to_refund on payments (created_at) where refund_target_cents > refunded_cents;
create index payments_by_organization on payments (organization_id, created_at desc);

-- Refunds that were asked for.
create table refunds (
  id text primary key,
  payment_id text not null references payments (id),
  amount_cents integer not null check (amount_cents > 0),
  reason text not null,
  idempotency_id text unique,
  created_at timestamptz not null
);

-- What the payment service said. Each of its events counts once.
create table payment_events (
  id text primary key,
  type text not null,
  payment_id text not null,
  received_at timestamptz not null
);

-- The books of the built-in test driver, which stands in for a payment service and remembers as one does.
create table test_charges (
  idempotency_key text primary key,
  card text not null,
  amount_cents integer not null,
  status text not null check (status in ('requires_action', 'succeeded', 'failed', 'canceled')),
  failure_code text,
  authentication_hash bytea unique,
  refunded_cents integer not null default 0,
  created_at timestamptz not null
);

create table checkout_sessions (
  id text primary key,
  secret_hash bytea not null unique,
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  plan_id text not null references plans (id),
  quantity integer not null,
  -- False once it turned out that the card had a trial before.
  trial boolean not null default true,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz
);

-- Visits to the page of the test driver where cards and invoices are looked after.
create table portal_sessions (
  secret_hash bytea primary key,
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Who had a trial: by card and by e-mail without its aliases. Outlives accounts, so that nobody tries twice.
create table trials (
  subscription_id text primary key,
  card_fingerprint text not null unique,
  email_family text not null unique,
  started_at timestamptz not null
);

create table referral_codes (
  user_id text primary key references users (id) on delete cascade,
  code text not null unique check (code ~ '^[A-Z2-9]{8}$')
);

create table referrals (
  referred_user_id text primary key references users (id) on delete cascade,
  referrer_user_id text not null references users (id) on delete cascade,
  -- Whose invoices count, and who is rewarded.
  referred_organization_id text not null references organizations (id) on delete cascade,
  referrer_organization_id text not null references organizations (id) on delete cascade,
  created_at timestamptz not null,
  first_paid_at timestamptz,
  check (referred_user_id <> referrer_user_id)
);
create index referrals_by_referrer on referrals (referrer_user_id);
create unique index referrals_by_organization on referrals (referred_organization_id);

create table referral_rewards (
  id text primary key,
  referred_user_id text not null,
  beneficiary_user_id text not null,
  organization_id text not null,
  method text not null check (method in ('credits', 'commission')),
  invoice_id text not null references invoices (id),
  -- What it is now, and before any of the invoice was given back.
  amount_nano_usd numeric(30, 0) not null check (amount_nano_usd > 0),
  original_nano_usd numeric(30, 0) not null,
  status text not null check (status in ('held', 'released', 'reversed')),
  created_at timestamptz not null,
  release_at timestamptz not null,
  settled_at timestamptz,
  unique (invoice_id, organization_id)
);
create index referral_rewards_by_beneficiary on referral_rewards (beneficiary_user_id);
create index referral_rewards_held on referral_rewards (release_at) where status = 'held';

-- Commission that was paid out. Outlives accounts, as the ledger does.
create table referral_payouts (
  id text primary key,
  organization_id text not null,
  user_id text not null,
  amount_nano_usd numeric(30, 0) not null check (amount_nano_usd > 0),
  idempotency_id text unique,
  is_test boolean not null,
  created_at timestamptz not null
);
create index referral_payouts_by_organization on referral_payouts (organization_id);

create table marketplace_accounts (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  provider text not null check (provider in ('aws', 'azure', 'gcp')),
  customer_id text not null,
  product text not null,
  status text not null check (status in ('pending', 'active', 'canceled')),
  is_test boolean not null,
  created_at timestamptz not null,
  unique (provider, customer_id)
);
create index marketplace_accounts_by_organization on marketplace_accounts (organization_id, created_at desc);

-- Tokens of marketplaces that were used: each works once, also after its account is gone.
create table marketplace_tokens (
  token_hash bytea primary key,
  account_id text not null,
  -- The call that used it, so that the same call finds that it was done.
  idempotency_id text,
  used_at timestamptz not null
);
