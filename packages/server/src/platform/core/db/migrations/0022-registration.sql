alter table users
  -- Since when an account waits for an admin who lets it in; null once it is in.
  add column approval_requested_at timestamptz,
  -- Made by somebody who has not yet opened the link sent to the address: nobody can log in to it until then.
  add column awaiting_confirmation boolean not null default false;
create index users_by_approval on users (approval_requested_at) where approval_requested_at is not null;

-- Invitations to make an account. Each is for one address, and is deleted when it was used.
create table platform_invitations (
  id text primary key,
  email text not null,
  email_lower text not null unique,
  secret_hash bytea not null unique,
  invited_by text not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index platform_invitations_by_creation on platform_invitations (created_at desc);
