-- Backends that speak Cohere's API.
alter table backends drop constraint backends_api_check;
alter table backends add constraint backends_api_check
  check (api in ('openai', 'responses', 'anthropic', 'gemini', 'bedrock', 'cohere'));
