-- The organization that a model of vLLM belongs to; null for one that all share. Two organizations may have the same
-- repository, each with files of its own.
alter table vllm_models add column organization_id text references organizations (id) on delete cascade;
alter table vllm_models drop constraint vllm_models_pkey;
alter table vllm_models alter column model_id set not null;
drop index vllm_models_id_lower;
create unique index vllm_models_once on vllm_models (lower(model_id), coalesce(organization_id, ''));
