-- Backends that speak the Gemini API of Vertex AI.
alter table backends drop constraint backends_api_check;
alter table backends add constraint backends_api_check
  check (api in ('openai', 'responses', 'anthropic', 'gemini', 'bedrock', 'cohere', 'vertex'));
