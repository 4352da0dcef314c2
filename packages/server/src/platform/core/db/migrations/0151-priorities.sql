-- Which calls go first where calls wait: those of people before batches, by API key and by plan.
alter table api_keys add column priority text not null default 'interactive';
alter table api_keys add constraint api_keys_priority_check check (priority in ('interactive', 'batch'));
alter table plans add column priority text not null default 'interactive';
alter table plans add constraint plans_priority_check check (priority in ('interactive', 'batch'));
