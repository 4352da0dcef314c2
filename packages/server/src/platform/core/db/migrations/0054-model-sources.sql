-- Where models of the catalogue can be downloaded from, as the hub last said.
create table model_sources (
  model_id text primary key references models (id) on delete cascade,
  -- The repository with the files; null if the hub has none with a file that can be loaded.
  repository text,
  revision text,
  -- Its GGUF files, each as {path, size, sha256}.
  files jsonb not null default '[]',
  -- Size of its smallest file in nearly the original precision, and of its smallest file that a download chooses by itself.
  precise_bytes bigint,
  smallest_bytes bigint,
  read_at timestamptz not null
);
create index model_sources_by_age on model_sources (read_at);

-- How many users of the hub like a model; null if the hub was not read or does not say.
alter table models add column likes integer;
create index models_by_likes on models (likes desc nulls last, id_lower);
