-- Webhooks of the payment service, stored before they are handled.
create table payment_webhooks (
  id text primary key,
  type text not null,
  subject jsonb not null,
  received_at timestamptz not null,
  handled_at timestamptz,
  attempts integer not null default 0
);
create index payment_webhooks_to_handle on payment_webhooks (received_at) where handled_at is null;
