-- Links under which people without an account read a copy of a conversation.

-- No member publishes chats of an organization until its admins decide so.
alter table organizations add column chat_links boolean not null default false;

create table chat_shares (
  id text primary key,
  organization_id text not null,
  user_id text not null,
  conversation_id uuid not null,
  -- SHA-256 of the last part of the address, which is derived from the id with the organization's key.
  token_hash bytea not null unique,
  -- Encrypted with the organization's key, like the conversation.
  sealed_title bytea not null,
  sealed_messages bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (organization_id, user_id, conversation_id) references conversations on delete cascade
);
create index chat_shares_by_conversation on chat_shares (organization_id, user_id, conversation_id);
create index chat_shares_by_end on chat_shares (expires_at);
