alter table users
  -- A new address that is not verified yet; the old one holds until then.
  add column pending_email text,
  add column sealed_totp_secret bytea,
  add column totp_enabled_at timestamptz,
  -- The time step of the last code that was taken, so that no code is taken twice.
  add column totp_last_step bigint not null default 0,
  add column password_changed_at timestamptz;

alter table one_time_tokens
  add column data jsonb not null default '{}',
  add column attempts integer not null default 0;
create index one_time_tokens_by_user on one_time_tokens (user_id, purpose);

-- For those who lost their authenticator. Each works once.
create table recovery_codes (
  user_id text not null references users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Accounts elsewhere that somebody may sign in with.
create table linked_accounts (
  provider text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  email text,
  name text,
  linked_at timestamptz not null,
  primary key (provider, subject),
  unique (user_id, provider)
);

-- A visit to a provider that has begun: what its answer is checked against. Bound to the browser, and used once.
create table provider_visits (
  state_hash bytea primary key,
  provider text not null,
  browser_hash bytea not null,
  code_verifier text not null,
  nonce text not null,
  user_id text references users (id) on delete cascade,
  return_to text,
  referrer text,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index provider_visits_by_end on provider_visits (expires_at);
