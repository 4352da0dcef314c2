-- The form in which a model that vLLM runs writes its thoughts, by vLLM's name for it.
alter table vllm_models add column reasoning_parser text;
