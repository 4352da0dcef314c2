-- Passkeys (WebAuthn credentials) that people sign in with, alone or besides a password.
create table passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- In the form of COSE.
  public_key bytea not null check (octet_length(public_key) between 1 and 8192),
  -- How often it has signed, as it says itself; 0 for the many that do not count.
  sign_count bigint not null check (sign_count >= 0),
  -- How browsers reach it: internal, hybrid, usb and others.
  transports text[] not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id, created_at);
