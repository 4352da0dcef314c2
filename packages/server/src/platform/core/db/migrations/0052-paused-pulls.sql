-- A paused download is not claimed, and still the only one of its file.
alter table store_pulls drop constraint store_pulls_state_check;
alter table store_pulls add constraint store_pulls_state_check
  check (state in ('queued', 'downloading', 'verifying', 'paused', 'done', 'failed', 'canceled'));
drop index one_running_pull;
create unique index one_running_pull on store_pulls (repository, file, revision, model_id, coalesce(organization_id, ''))
  where state in ('queued', 'downloading', 'verifying', 'paused');
