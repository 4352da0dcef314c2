-- Models in safetensors files that were downloaded for vLLM. Their files are in a folder of their own, not among those of
-- store_files, which are single GGUF files.
create table vllm_models (
  model_id text primary key,
  repository text not null,
  revision text not null,
  -- The first file with weights.
  file text not null,
  size bigint not null check (size > 0),
  parameter_size bigint,
  context_length integer,
  bytes_per_token integer not null check (bytes_per_token > 0),
  -- The form of its tool calls, by vLLM's name for it.
  tool_parser text,
  last_used_at timestamptz,
  -- Kept loaded from the start on.
  pinned boolean not null default false,
  created_at timestamptz not null
);
create unique index vllm_models_id_lower on vllm_models (lower(model_id));
