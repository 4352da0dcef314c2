-- The organization a session acts for; without one it is the organization its user has been in longest. Sessions of
-- admins who act as somebody else name the admin and the admin's own session, with which they end.
alter table sessions
  add column organization_id text references organizations (id) on delete set null,
  add column impersonated_by text references users (id) on delete cascade,
  add column impersonator_session_id text references sessions (id) on delete cascade,
  add constraint impersonation_is_whole check ((impersonated_by is null) = (impersonator_session_id is null));
create index sessions_by_organization on sessions (organization_id) where organization_id is not null;
create index sessions_by_impersonator on sessions (impersonator_session_id) where impersonator_session_id is not null;

alter table users add column suspension_reason text;

-- After a rotation the secret before goes on for a while.
alter table api_keys
  add column previous_secret_hash bytea unique,
  add column previous_secret_expires_at timestamptz;
create index api_keys_by_creator on api_keys (created_by);

create table invitations (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  email text not null,
  email_lower text not null,
  role text not null check (role in ('admin', 'editor', 'developer', 'viewer')),
  secret_hash bytea not null unique,
  invited_by text references users (id) on delete set null,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create unique index one_open_invitation on invitations (organization_id, email_lower) where used_at is null;

create index requests_by_user on requests (user_id, started_at desc);
create index users_by_age on users (created_at desc, id);
create index audit_log_by_time on audit_log (at desc);
create index audit_log_by_impersonator on audit_log (impersonator_user_id, sequence desc)
  where impersonator_user_id is not null;
create index audit_log_by_target on audit_log (target, sequence desc) where target is not null;
