create extension if not exists pg_trgm;

create table organizations (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table users (
  id text primary key,
  email text not null,
  email_lower text not null unique,
  username text not null unique,
  name text not null,
  password_hash text,
  is_admin boolean not null default false,
  email_verified_at timestamptz,
  suspended_at timestamptz,
  referral_reward_method text not null default 'credits' check (referral_reward_method in ('credits', 'commission')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table memberships (
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('admin', 'editor', 'developer', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index memberships_by_user on memberships (user_id, created_at);

-- Only hashes of session secrets are kept: a stolen copy of the database opens nothing.
create table sessions (
  id text primary key,
  secret_hash bytea not null unique,
  user_id text not null references users (id) on delete cascade,
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_user on sessions (user_id);

create table api_keys (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  created_by text references users (id) on delete set null,
  name text not null,
  prefix text not null,
  last4 text not null,
  secret_hash bytea not null unique,
  scopes text[] not null,
  allowed_models text[] not null default '{}',
  ip_allowlist text[] not null default '{}',
  max_concurrency integer check (max_concurrency > 0),
  spend_limit_nano_usd numeric(30, 0) check (spend_limit_nano_usd >= 0),
  limit_reset text not null default 'none' check (limit_reset in ('none', 'day', 'week', 'month')),
  expires_at timestamptz,
  disabled boolean not null default false,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index api_keys_by_organization on api_keys (organization_id, created_at desc) where deleted_at is null;

-- Links that work once, such as the one that sets up the first admin.
create table one_time_tokens (
  secret_hash bytea primary key,
  purpose text not null,
  user_id text references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
