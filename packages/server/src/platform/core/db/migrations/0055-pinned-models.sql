-- A pinned model is kept on the disk and in memory.
alter table store_files add column pinned boolean not null default false;
