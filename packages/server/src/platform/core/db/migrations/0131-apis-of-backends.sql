-- The API that a backend speaks.
alter table backends add api text not null default 'openai' check (api in ('openai', 'anthropic', 'gemini', 'bedrock'));
