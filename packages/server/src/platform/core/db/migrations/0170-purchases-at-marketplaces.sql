-- One customer of a marketplace may have several purchases. What is asked about a purchase goes by its own id.
alter table marketplace_accounts
  add column reference text,
  -- What the marketplace sold, in its words; null for purchases of earlier versions.
  add column offer text,
  add column quantity integer not null default 1 check (quantity > 0),
  -- Why the purchase gives no plan at the moment, or why it was rejected.
  add column note text,
  -- When the plan ends, because the purchase is over at the marketplace.
  add column ends_at timestamptz,
  -- When the marketplace was last asked about the purchase.
  add column checked_at timestamptz;
update marketplace_accounts set reference = customer_id;
alter table marketplace_accounts
  alter column reference set not null,
  drop constraint marketplace_accounts_provider_customer_id_key,
  add constraint marketplace_accounts_provider_reference_key unique (provider, reference),
  drop constraint marketplace_accounts_status_check,
  add constraint marketplace_accounts_status_check check (status in ('pending', 'active', 'suspended', 'canceled'));
create index marketplace_accounts_by_customer on marketplace_accounts (provider, customer_id);
create index marketplace_accounts_to_check on marketplace_accounts (checked_at) where status <> 'canceled';

-- Notifications of marketplaces, stored before they are handled. They say which purchase changed, not how.
create table marketplace_notifications (
  provider text not null check (provider in ('aws', 'azure', 'gcp')),
  id text not null,
  type text not null,
  reference text,
  customer_id text,
  received_at timestamptz not null,
  handled_at timestamptz,
  attempts integer not null default 0,
  primary key (provider, id)
);
create index marketplace_notifications_to_handle on marketplace_notifications (received_at) where handled_at is null;
