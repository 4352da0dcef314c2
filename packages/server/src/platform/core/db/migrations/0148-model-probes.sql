-- What a model could do when the server asked it at one backend: the last result of each ability.
create table model_probes (
  model_id text not null references models (id) on delete cascade,
  backend text not null,
  ability text not null check (ability in ('speed', 'tools', 'json_schema', 'vision', 'context')),
  result text not null check (result in ('yes', 'no', 'unclear')),
  reason text, -- null for a plain yes
  prompt_tokens integer,
  first_token_ms integer,
  tokens_per_second double precision,
  duration_ms integer not null,
  cost_nano_usd numeric(30, 0) not null,
  checked_at timestamptz not null,
  primary key (model_id, backend, ability)
);
create index model_probes_by_backend on model_probes (backend);
create index model_probes_by_age on model_probes (checked_at);

-- The last time that a model was asked at a backend, and when it is due again. One row is taken by one process at a time.
create table model_probe_runs (
  model_id text not null references models (id) on delete cascade,
  backend text not null,
  started_at timestamptz, -- null for one that an administrator has asked for first
  finished_at timestamptz, -- null while it runs
  note text, -- why it ended early
  requested_at timestamptz, -- when an administrator asked for it; null once it has started
  due_at timestamptz not null,
  primary key (model_id, backend)
);
create index model_probe_runs_requested on model_probe_runs (requested_at) where requested_at is not null;
create index model_probe_runs_by_age on model_probe_runs (due_at);

-- What the calls to backends elsewhere have cost on a day (UTC). A call's highest cost is added before it is made.
create table probe_spending (
  day date primary key,
  spent_nano_usd numeric(30, 0) not null check (spent_nano_usd >= 0)
);

-- The abilities that a model has only because a probe has shown them, and whether an administrator has set them.
alter table models add column probed_abilities text[] not null default '{}';
alter table models add column abilities_by_operator boolean not null default false;
