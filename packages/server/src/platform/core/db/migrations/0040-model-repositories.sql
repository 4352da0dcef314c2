-- The repository of the hub that a file comes from. The model that runs it may have another id: that of the catalogue.
alter table store_pulls add column repository text;
update store_pulls set repository = model_id;
alter table store_pulls alter column repository set not null;
drop index one_running_pull;
create unique index one_running_pull on store_pulls (repository, file, revision, model_id, coalesce(organization_id, ''))
  where state in ('queued', 'downloading', 'verifying');

alter table store_files add column repository text;
update store_files set repository = model_id;
alter table store_files alter column repository set not null;
