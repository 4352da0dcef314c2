-- The ids that administrators give to models of a backend: [{"name": its name there, "as": "owner/name"}].
alter table backends add aliases jsonb not null default '[]' check (jsonb_typeof(aliases) = 'array');
