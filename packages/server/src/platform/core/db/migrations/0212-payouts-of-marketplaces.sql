-- What marketplaces paid for metered usage, as an admin recorded it. Nothing of it is deleted; a mistake is reversed.
create table marketplace_payouts (
  id text primary key,
  provider text not null check (provider in ('aws', 'azure', 'gcp')),
  -- What the marketplace or the bank calls it.
  reference text not null,
  paid_on date not null,
  amount_cents bigint not null check (amount_cents >= 0),
  -- What the marketplace kept.
  fee_cents bigint not null check (fee_cents >= 0),
  is_test boolean not null,
  created_at timestamptz not null,
  reversed_at timestamptz,
  reversal_reason text,
  constraint payout_of_something check (amount_cents + fee_cents > 0),
  constraint reversal_has_reason check ((reversed_at is null) = (reversal_reason is null))
);
-- After a reversal the same payout can be recorded as it is.
create unique index marketplace_payouts_by_reference on marketplace_payouts (provider, is_test, reference)
  where reversed_at is null;
create index marketplace_payouts_by_date on marketplace_payouts (paid_on, id);
create index marketplace_payouts_by_reversal on marketplace_payouts (reversed_at) where reversed_at is not null;
