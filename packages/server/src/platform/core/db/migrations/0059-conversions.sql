-- A download whose files, safetensors, are converted to a GGUF file on this machine. `file` is the name of that one.
alter table store_pulls add column is_conversion boolean not null default false;
-- The share of the weights that is converted, from 0 to 1; null when it is not being converted, or that is not known.
alter table store_pulls add column conversion_progress real
  check (conversion_progress >= 0 and conversion_progress <= 1);
alter table store_pulls drop constraint store_pulls_state_check;
alter table store_pulls add constraint store_pulls_state_check
  check (state in ('queued', 'downloading', 'verifying', 'converting', 'paused', 'done', 'failed', 'canceled'));
drop index one_running_pull;
create unique index one_running_pull on store_pulls (repository, file, revision, model_id, coalesce(organization_id, ''))
  where state in ('queued', 'downloading', 'verifying', 'converting', 'paused');
