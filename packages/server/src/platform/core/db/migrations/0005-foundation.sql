-- Calls that were made with an Idempotency-Key. The answer is encrypted with that key, which is not stored.
create table idempotency_keys (
  id bytea primary key,
  operation_id text not null,
  body_hash bytea not null,
  status integer,
  answer bytea,
  created_at timestamptz not null
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Every message of the platform, whether it leaves by SMTP or is only kept here.
create table outbox (
  id text primary key,
  kind text not null,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  send_after timestamptz not null,
  attempts integer not null default 0,
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text
);
create index outbox_waiting on outbox (send_after) where sent_at is null and failed_at is null;
create index outbox_by_time on outbox (created_at desc);

-- Append-only. Each row's hash covers the row and the hash before it, so that a changed or missing row shows.
create table audit_log (
  sequence bigint primary key,
  id text not null unique,
  at timestamptz not null,
  action text not null,
  actor_user_id text,
  impersonator_user_id text,
  organization_id text,
  credential text,
  target text,
  ip text,
  details jsonb not null default '{}',
  previous_hash bytea not null,
  hash bytea not null
);
create index audit_log_by_organization on audit_log (organization_id, sequence desc);
create index audit_log_by_actor on audit_log (actor_user_id, sequence desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
