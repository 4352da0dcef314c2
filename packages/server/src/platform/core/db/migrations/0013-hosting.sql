-- Null means no limit, as for every number of a plan; what says nothing allows none.
alter table plans alter private_models set default 0;
update plans set private_models = 0 where private_models is null and audience <> 'custom';

-- Downloads of model files. The one that runs has a lease, so that another process goes on when it dies.
create table store_pulls (
  id text primary key,
  model_id text not null,
  -- The commit the file is taken from, so that what resumes is the same file.
  revision text not null,
  file text not null,
  -- What the hub says it is; some hubs do not.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  state text not null default 'queued'
    check (state in ('queued', 'downloading', 'verifying', 'done', 'failed', 'canceled')),
  bytes_done bigint not null default 0,
  bytes_total bigint not null,
  error text,
  -- What opens the repository, encrypted; forgotten when the download has ended.
  sealed_token bytea,
  -- The organization that the file is for; null for everybody.
  organization_id text references organizations (id) on delete cascade,
  created_by text references users (id) on delete set null,
  attempts integer not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index store_pulls_by_time on store_pulls (created_at desc);
-- The same file is fetched once at a time, whoever asks for it.
create unique index one_running_pull on store_pulls (model_id, file, revision, coalesce(organization_id, ''))
  where state in ('queued', 'downloading', 'verifying');

-- Complete files, whose checksum was found right. On disk they are named by it.
create table store_files (
  model_id text not null,
  file text not null,
  revision text not null,
  sha256 text not null,
  size bigint not null,
  organization_id text references organizations (id) on delete cascade,
  -- From the file's own head.
  architecture text,
  context_length integer,
  -- Bytes that a token of context takes in memory.
  bytes_per_token integer not null,
  created_at timestamptz not null
);
create unique index store_files_once on store_files (lower(model_id), coalesce(organization_id, ''));

-- How far one is follows from its download, its file and the memory it is in.
create table private_models (
  organization_id text not null references organizations (id) on delete cascade,
  model_id text primary key references models (id) on delete cascade,
  name text not null,
  -- As it was asked for; the download knows the commit.
  revision text not null,
  pull_id text references store_pulls (id) on delete set null,
  created_by text references users (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index private_models_by_organization on private_models (organization_id, created_at);

create table deployments (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  created_by text references users (id) on delete set null,
  name text not null,
  provider_id text not null,
  region text not null,
  instance_type text not null,
  model_id text not null,
  revision text,
  min_replicas integer not null check (min_replicas >= 0),
  max_replicas integer not null check (max_replicas >= 1 and max_replicas >= min_replicas),
  scale_to_zero_after_s integer check (scale_to_zero_after_s >= 60),
  autoscale_metric text not null check (autoscale_metric in ('pending_requests', 'gpu_utilization')),
  autoscale_target double precision not null check (autoscale_target > 0),
  engine_args jsonb not null default '{}',
  visibility text not null check (visibility in ('private', 'public')),
  -- What is wanted: a new generation replaces the replicas of the one before.
  generation integer not null default 1,
  paused boolean not null default false,
  deleting boolean not null default false,
  -- What is so, as the reconciler last found it.
  state text not null default 'pending' check (state in ('pending', 'initializing', 'running', 'scaled_to_zero',
    'updating', 'update_failed', 'paused', 'failed', 'deleting')),
  state_reason text,
  ready_replicas integer not null default 0,
  desired_replicas integer not null default 0,
  -- Since when fewer replicas would do.
  scale_down_since timestamptz,
  -- When a request came last, or it was last started.
  last_request_at timestamptz,
  -- Every change counts one up, so that none is written over another.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index deployments_by_name on deployments (organization_id, name) where not deleting;
create index deployments_by_time on deployments (created_at desc);

-- Only hashes. `api` opens the deployment until it is replaced; `console` for an hour; `login` once, to get a `console`.
create table deployment_tokens (
  secret_hash bytea primary key,
  deployment_id text not null references deployments (id) on delete cascade,
  purpose text not null check (purpose in ('api', 'console', 'login')),
  user_id text references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz,
  used_at timestamptz
);
create unique index one_api_token on deployment_tokens (deployment_id) where purpose = 'api';
create index deployment_tokens_by_end on deployment_tokens (expires_at);

create table deployment_events (
  id bigint generated always as identity primary key,
  deployment_id text not null references deployments (id) on delete cascade,
  state text not null,
  message text not null,
  happened_at timestamptz not null
);
create index deployment_events_by_deployment on deployment_events (deployment_id, id desc);
