-- Currencies in which organizations can pay, with the operator's rates. US dollars are always there.
create table currencies (
  code text primary key check (code ~ '^[A-Z]{3}$'),
  -- Units of the currency for one US dollar.
  units_per_usd numeric(14, 8) not null check (units_per_usd > 0),
  -- In which organizations pay that have not chosen one.
  is_default boolean not null default false,
  updated_at timestamptz not null default now(),
  constraint dollars_are_dollars check (code <> 'USD' or units_per_usd = 1)
);
create unique index currencies_default on currencies (is_default) where is_default;
-- At a fixed time, so that a database that is migrated twice is the same.
insert into currencies (code, units_per_usd, is_default, updated_at) values ('USD', 1, true, '2026-11-30T00:00:00Z');

-- Prices of one interval in minor units, by the code of their currency.
alter table plans
  add column prices jsonb not null default '{}' constraint prices_are_an_object check (jsonb_typeof(prices) = 'object');

-- Amounts of all tables below are minor units of the currency. Some currencies have so small units that they exceed integers.
alter table billing_accounts
  add column currency text not null default 'USD' constraint account_currency references currencies (code),
  alter column balance_cents type bigint;
create index billing_accounts_by_currency on billing_accounts (currency) where currency <> 'USD';
-- A subscription is in the currency of its account, so it needs none of its own.
alter table subscriptions
  drop column currency,
  alter column value_cents type bigint,
  alter column price_cents type bigint,
  alter column pending_price_cents type bigint,
  alter column next_price_cents type bigint;
alter table invoices
  add column currency text not null default 'USD',
  -- Minor units for one US dollar, at the rate at which it was made.
  add column minor_per_usd numeric(18, 8) not null default 100 constraint invoice_rate_is_positive check (minor_per_usd > 0),
  alter column subtotal_cents type bigint,
  alter column discount_cents type bigint,
  alter column tax_cents type bigint,
  alter column total_cents type bigint,
  alter column refunded_cents type bigint,
  alter column disputed_cents type bigint;
alter table credit_notes
  add column currency text not null default 'USD',
  alter column tax_cents type bigint,
  alter column total_cents type bigint;
alter table payments
  add column currency text not null default 'USD',
  add column minor_per_usd numeric(18, 8) not null default 100 constraint payment_rate_is_positive check (minor_per_usd > 0),
  alter column amount_cents type bigint,
  alter column refunded_cents type bigint,
  alter column refund_target_cents type bigint,
  alter column refund_failed_cents type bigint;
alter table refunds alter column amount_cents type bigint;
alter table disputes
  alter column amount_cents type bigint,
  alter column fee_cents type bigint,
  -- The payment service keeps its fee in the currency of the operator's account there.
  add column fee_currency text not null default 'USD',
  -- What of the fee was posted; a fee in a currency without a rate is not.
  add column fee_nano_usd numeric(30) not null default 0;
update disputes set fee_nano_usd = fee_cents::numeric * 10000000;
alter table test_charges
  add column currency text not null default 'USD',
  alter column amount_cents type bigint,
  alter column refunded_cents type bigint;
-- The currency of the price that was shown; null for sessions from before.
alter table checkout_sessions add column currency text;
