-- Chats that the server keeps for people. Texts are encrypted with a key of the organization.

alter table organizations
  -- The server keeps no chats until an admin of the organization decides so.
  add column chat_storage text not null default 'browser' check (chat_storage in ('server', 'browser', 'off')),
  add column chat_retention_days integer check (chat_retention_days between 1 and 3650);

create table conversation_keys (
  organization_id text primary key references organizations (id) on delete cascade,
  -- 32 bytes in base64, encrypted with the secret of the installation.
  sealed_key bytea not null
);

-- A person in an organization. Its row is locked by each change, so that revisions become visible in their order.
create table conversation_owners (
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  revision bigint not null default 0,
  -- What the encrypted texts and the hashes of their words take.
  bytes bigint not null default 0,
  primary key (organization_id, user_id)
);
create index conversation_owners_by_user on conversation_owners (user_id);

create table conversations (
  organization_id text not null,
  user_id text not null,
  id uuid not null,
  -- Title, models and settings.
  sealed_fields bytea not null,
  -- Hashes of the beginnings of the title's words.
  words bigint[] not null,
  bytes integer not null generated always as (octet_length(sealed_fields) + 8 * cardinality(words)) stored,
  version integer not null,
  revision bigint not null,
  entries integer not null default 0,
  last_position integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- When the server stored the latest change, which clients cannot set.
  stored_at timestamptz not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references conversation_owners on delete cascade
);
create index conversations_by_revision on conversations (organization_id, user_id, revision);
create index conversations_by_update on conversations (organization_id, user_id, updated_at desc, id);
create index conversations_by_storage on conversations (stored_at);
create index conversations_by_words on conversations using gin (words);

create table conversation_entries (
  organization_id text not null,
  user_id text not null,
  conversation_id uuid not null,
  id text not null,
  position integer not null,
  sealed_fields bytea not null,
  words bigint[] not null,
  bytes integer not null generated always as (octet_length(sealed_fields) + 8 * cardinality(words)) stored,
  saved_at timestamptz not null,
  primary key (organization_id, user_id, conversation_id, id),
  foreign key (organization_id, user_id, conversation_id) references conversations on delete cascade
);
create index conversation_entries_by_position
  on conversation_entries (organization_id, user_id, conversation_id, position);
create index conversation_entries_by_words on conversation_entries using gin (words);

-- So that other devices delete their copies.
create table deleted_conversations (
  organization_id text not null,
  user_id text not null,
  id uuid not null,
  revision bigint not null,
  deleted_at timestamptz not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references conversation_owners on delete cascade
);
create index deleted_conversations_by_revision on deleted_conversations (organization_id, user_id, revision);
create index deleted_conversations_by_time on deleted_conversations (deleted_at);
