-- Servers of tools that speak the Model Context Protocol. Those without an organization are for everybody.
create table tool_servers (
  id text primary key,
  organization_id text references organizations (id) on delete cascade,
  name text not null,
  url text not null,
  header_name text,
  sealed_secret bytea,
  -- Null for all tools of the server.
  allowed_tools text[],
  is_enabled boolean not null,
  created_by text references users (id) on delete set null,
  updated_at timestamptz not null,
  unique nulls not distinct (organization_id, name)
);
create index tool_servers_by_creator on tool_servers (created_by);

-- Calls to tools, without arguments and answers.
create table tool_calls (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  user_id text references users (id) on delete set null,
  api_key_id text references api_keys (id) on delete set null,
  server text not null,
  tool text not null,
  outcome text not null check (outcome in ('completed', 'tool_error', 'failed')),
  started_at timestamptz not null,
  duration_ms integer not null
);
create index tool_calls_by_organization on tool_calls (organization_id, started_at desc, id desc);
create index tool_calls_by_time on tool_calls (started_at);
create index tool_calls_by_user on tool_calls (user_id);
create index tool_calls_by_api_key on tool_calls (api_key_id);
