-- One row for each request to a model; its id is the `request-id` of the answer.
create table requests (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  user_id text,
  api_key_id text,
  model_id text not null,
  model_class_id text not null,
  backend text,
  kind text not null check (kind in ('chat', 'completion', 'embedding')),
  outcome text not null check (outcome in ('completed', 'aborted', 'failed', 'interrupted')),
  status integer not null,
  error_code text,
  streamed boolean not null,
  prompt_tokens integer not null default 0,
  completion_tokens integer not null default 0,
  cached_tokens integer not null default 0,
  estimated boolean not null default false,
  units integer not null,
  started_at timestamptz not null,
  first_byte_ms integer,
  duration_ms integer not null
);
create index requests_by_organization on requests (organization_id, started_at desc);
create index requests_by_model on requests (model_id, started_at desc);
create index requests_by_time on requests (started_at desc);
