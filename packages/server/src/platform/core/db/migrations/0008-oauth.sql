-- Programs of third parties. One without an organization belongs to the platform itself.
create table applications (
  id text primary key,
  organization_id text references organizations (id) on delete cascade,
  created_by text references users (id) on delete set null,
  name text not null,
  description text not null default '',
  homepage_url text,
  logo_url text,
  redirect_uris text[] not null,
  scopes text[] not null,
  client_type text not null check (client_type in ('confidential', 'public')),
  status text not null check (status in ('pending', 'active', 'inactive', 'suspended', 'rejected')),
  secret_hash bytea,
  previous_secret_hash bytea,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null default now(),
  constraint confidential_has_a_secret check ((client_type = 'confidential') = (secret_hash is not null))
);
create index applications_by_organization on applications (organization_id, created_at desc);
create index applications_by_age on applications (created_at desc, id);

-- What a user allowed an application, for the organization they acted for.
create table oauth_grants (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  organization_id text not null references organizations (id) on delete cascade,
  application_id text not null references applications (id) on delete cascade,
  scopes text[] not null,
  granted_at timestamptz not null,
  last_used_at timestamptz,
  unique (user_id, organization_id, application_id)
);
create index oauth_grants_by_application on oauth_grants (application_id);
create index oauth_grants_by_organization on oauth_grants (organization_id);

-- All tokens that came from one code or device. They end together.
create table oauth_families (
  id text primary key,
  grant_id text not null references oauth_grants (id) on delete cascade,
  scopes text[] not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index oauth_families_by_grant on oauth_families (grant_id);

create table oauth_tokens (
  id text primary key,
  family_id text not null references oauth_families (id) on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  secret_hash bytea not null unique,
  scopes text[] not null,
  expires_at timestamptz not null,
  -- When a refresh token was replaced. Presented again after that, its family is revoked.
  used_at timestamptz,
  revoked_at timestamptz
);
create index oauth_tokens_by_family on oauth_tokens (family_id);
create index oauth_tokens_by_end on oauth_tokens (expires_at);

create table oauth_codes (
  secret_hash bytea primary key,
  grant_id text not null references oauth_grants (id) on delete cascade,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The tokens it was exchanged for, which end when it is presented again.
  family_id text references oauth_families (id) on delete set null
);
create index oauth_codes_by_grant on oauth_codes (grant_id);
create index oauth_codes_by_end on oauth_codes (expires_at);

create table oauth_device_codes (
  secret_hash bytea primary key,
  user_code text not null unique,
  application_id text not null references applications (id) on delete cascade,
  scopes text[] not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied')),
  -- Who opened the code first: nobody else may decide on it.
  user_id text references users (id) on delete cascade,
  grant_id text references oauth_grants (id) on delete cascade,
  interval_s integer not null,
  last_polled_at timestamptz,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_device_codes_by_end on oauth_device_codes (expires_at);
create index oauth_device_codes_by_application on oauth_device_codes (application_id);

insert into applications (id, name, description, redirect_uris, scopes, client_type, status) values (
  'app_feather_cli',
  'Feather command line',
  'The command feather on your computer.',
  array['http://127.0.0.1/callback', 'http://[::1]/callback'],
  array['user.read', 'user.write', 'api.access'],
  'public',
  'active'
);
