-- What the database knows of the installation that it belongs to: one row.
create table installation (
  only_row boolean primary key default true check (only_row),
  -- Derived from the secret that encrypts what is stored here; it tells whether a secret is the right one, and no more.
  secret_fingerprint bytea not null,
  created_at timestamptz not null
);
