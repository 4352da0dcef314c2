-- Disputes of payments by the holders of cards, under the ids of the payment service.
create table disputes (
  id text primary key,
  payment_id text not null references payments (id),
  -- An inquiry of the bank takes no money, and may become a dispute.
  status text not null check (status in ('inquiry', 'open', 'won', 'lost')),
  reason text not null,
  amount_cents integer not null check (amount_cents >= 0),
  -- What the payment service keeps, also of disputes that are won.
  fee_cents integer not null default 0,
  -- Credits that are frozen while it is open, or that were taken when it was lost.
  held_nano_usd numeric(30) not null default 0 check (held_nano_usd >= 0),
  opened_at timestamptz not null,
  closed_at timestamptz
);
create index disputes_by_payment on disputes (payment_id);
alter table invoices
  add column dispute_status text check (dispute_status in ('open', 'won', 'lost')),
  add column disputed_cents integer not null default 0;
create index invoices_disputed on invoices (created_at desc) where dispute_status is not null;
