-- Payments, cards that are being added and customers have ids of their own at a payment service.
alter table payments add column reference text;
alter table setup_intents add column reference text unique;
create table payment_customers (
  organization_id text not null references organizations (id) on delete cascade,
  driver text not null,
  reference text not null,
  created_at timestamptz not null,
  primary key (organization_id, driver)
);
