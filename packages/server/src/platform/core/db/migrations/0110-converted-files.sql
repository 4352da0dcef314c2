-- Whether a file was converted on this server, so that the hub does not have it.
alter table store_files add column is_converted boolean not null default false;

update store_files f set is_converted = true
  where exists (
    select from store_pulls p
    where p.is_conversion and p.state = 'done' and lower(p.model_id) = lower(f.model_id) and p.file = f.file
      and p.revision = f.revision and p.organization_id is not distinct from f.organization_id);
