create table families (
  id text primary key,
  name text not null,
  owner text not null,
  description text not null
);

create table sub_types (
  family_id text not null references families (id) on delete cascade,
  id text not null,
  name text not null,
  description text not null,
  released_date date,
  primary key (family_id, id)
);

create table model_classes (
  id text primary key,
  name text not null,
  family_id text references families (id) on delete set null,
  parameter_size bigint,
  active_parameters bigint,
  context_length integer not null,
  max_completion_tokens integer,
  concurrency_cost integer not null check (concurrency_cost > 0),
  input_modalities text[] not null default '{text}',
  is_moe boolean not null default false
);

create table models (
  id text primary key,
  id_lower text not null unique,
  owned_by text not null,
  name text not null,
  family_id text references families (id),
  sub_type_id text,
  model_class_id text not null references model_classes (id),
  parameter_size bigint,
  active_parameters bigint,
  context_length integer,
  max_completion_tokens integer,
  description text not null default '',
  readme text,
  license text,
  tags text[] not null default '{}',
  languages text[] not null default '{}',
  input_modalities text[] not null default '{text}',
  output_modalities text[] not null default '{text}',
  architecture text,
  base_model text,
  is_gated boolean,
  is_private boolean not null default false,
  organization_id text references organizations (id) on delete cascade,
  status text not null default 'not_deployed' check (status in ('active', 'pending_deploy', 'not_deployed')),
  released_date date,
  source text not null,
  favorites integer not null default 0,
  downloads integer not null default 0,
  avg_rating numeric(3, 2),
  total_reviews integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What search looks at, in one text: dashes and dots part words in names.
  search_text text generated always as (
    lower(translate(id, '/-_.', '    ') || ' ' || id || ' ' || coalesce(family_id, '') || ' ' || description)
  ) stored
);
create index models_search on models using gin (search_text gin_trgm_ops);
create index models_by_family on models (family_id, sub_type_id);
create index models_by_release on models (released_date desc nulls last);

create table reviews (
  id text primary key,
  model_id text not null references models (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  rating integer not null check (rating between 1 and 5),
  review text not null,
  tags text[] not null default '{}',
  helpful_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (model_id, user_id)
);

create table seeds (
  name text primary key,
  content_hash text not null,
  seeded_at timestamptz not null default now()
);
