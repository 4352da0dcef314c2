-- Addresses that events of an organization are sent to.
create table webhook_endpoints (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  url text not null,
  description text not null default '',
  event_types text[] not null check (cardinality(event_types) > 0),
  secret bytea not null, -- sealed
  previous_secret bytea, -- sealed
  previous_secret_expires_at timestamptz,
  -- Null while events are sent to it.
  disabled_reason text check (disabled_reason in ('manual', 'failing', 'gone')),
  -- When the first of the failed attempts since the last successful one was made.
  first_failed_at timestamptz,
  created_at timestamptz not null default now(),
  check ((previous_secret is null) = (previous_secret_expires_at is null))
);
create index webhook_endpoints_by_organization on webhook_endpoints (organization_id, created_at);

-- Events that at least one endpoint is to get. The body is kept as text, so that each attempt signs the same bytes.
create table webhook_events (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  type text not null,
  body text not null,
  created_at timestamptz not null
);
create index webhook_events_by_organization on webhook_events (organization_id);
create index webhook_events_by_age on webhook_events (created_at);

-- An event on its way to an endpoint. While an attempt is made, send_after is when another process may make the next one.
create table webhook_deliveries (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  event_id text not null references webhook_events (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  send_after timestamptz not null,
  last_attempt_at timestamptz,
  response_status integer,
  error text,
  created_at timestamptz not null
);
create index webhook_deliveries_due on webhook_deliveries (send_after) where status = 'pending';
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, created_at desc);
create index webhook_deliveries_by_organization on webhook_deliveries (organization_id);
create index webhook_deliveries_by_event on webhook_deliveries (event_id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
