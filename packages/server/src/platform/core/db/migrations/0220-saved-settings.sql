-- Values that admins saved for settings of the server. Those of secrets are encrypted with the server's secret. A row without a value
-- is of one that was removed again.
create table saved_settings (
  name text primary key,
  value text,
  sealed_value bytea,
  previous_value text,
  saved_at timestamptz not null,
  saved_by text references users (id) on delete set null,
  check (value is null or sealed_value is null)
);
create index on saved_settings (saved_by);
