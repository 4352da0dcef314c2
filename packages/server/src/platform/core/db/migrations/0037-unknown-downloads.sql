-- Nobody asked a hub about most models: how often they were downloaded is unknown, which is not 0.
alter table models alter downloads drop not null, alter downloads drop default;
update models set downloads = null where downloads = 0 and hub_checked_at is null;
drop index models_by_downloads;
create index models_by_downloads on models (downloads desc nulls last, id_lower);
