-- Documents that organizations search. Names, texts and vectors are encrypted with the key that encrypts the organization's chats:
-- without that key they are nothing, so they are deleted with it.

create table collections (
  id text primary key,
  organization_id text not null references conversation_keys (organization_id) on delete cascade,
  -- Who alone may read it; null for all members. It is deleted when that person leaves the organization.
  owner_id text,
  created_by text references users (id) on delete set null,
  -- Name and description.
  sealed_fields bytea not null,
  -- Null where passages are compared by words alone.
  embedding_model text,
  -- Rises with each other model, so that vectors of an earlier one are not stored late.
  model_version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (organization_id, owner_id) references memberships (organization_id, user_id) on delete cascade
);
create index collections_by_organization on collections (organization_id);
create index collections_by_owner on collections (organization_id, owner_id);
create index collections_by_creator on collections (created_by);

create table collection_documents (
  id text primary key,
  collection_id text not null references collections (id) on delete cascade,
  -- Of the file, with the organization's key, so that the same file is there once.
  content_hash text not null,
  -- Name, type, pages and where it was cut.
  sealed_fields bytea not null,
  characters integer not null,
  passages integer not null,
  embedded_passages integer not null default 0,
  state text not null check (state in ('waiting', 'embedding', 'ready', 'failed')),
  -- Why the last try failed, which may quote the text.
  sealed_problem bytea,
  failures integer not null default 0,
  -- When vectors are made or tried again; null for a document that is ready.
  next_try_at timestamptz,
  created_by text references users (id) on delete set null,
  -- In whose name its vectors are made.
  embedded_for text references users (id) on delete set null,
  created_at timestamptz not null,
  unique (collection_id, content_hash)
);
create index collection_documents_due on collection_documents (next_try_at) where next_try_at is not null;
create index collection_documents_by_creator on collection_documents (created_by);
create index collection_documents_by_payer on collection_documents (embedded_for);

create table collection_passages (
  document_id text not null references collection_documents (id) on delete cascade,
  collection_id text not null references collections (id) on delete cascade,
  number integer not null,
  -- Text, page and place.
  sealed_fields bytea not null,
  -- Hashes of the beginnings of its words.
  words bigint[] not null,
  primary key (document_id, number)
);
create index collection_passages_by_collection on collection_passages (collection_id);
create index collection_passages_by_words on collection_passages using gin (words);

-- The vectors of consecutive passages.
create table collection_vectors (
  document_id text not null references collection_documents (id) on delete cascade,
  collection_id text not null references collections (id) on delete cascade,
  first_number integer not null,
  passages integer not null,
  dimensions integer not null,
  -- Numbers of 32 bits, each vector of length 1.
  sealed_vectors bytea not null,
  primary key (document_id, first_number)
);
create index collection_vectors_by_collection on collection_vectors (collection_id, document_id, first_number);
