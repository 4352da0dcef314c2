-- The weights of a model in its own repository, for models that vLLM can run: their size, and the memory of one token of
-- context. Null where the repository has a GGUF file, which is taken instead, or no safetensors files, or was not read since.
alter table model_sources add column safetensors_bytes bigint;
alter table model_sources add column safetensors_token_bytes bigint;
