-- How vLLM reads what a model writes is read from the model's files at each start.
alter table vllm_models drop column tool_parser, drop column reasoning_parser;
