-- Requests counted against rate limits while several servers work on this database. Lost counts only give callers a new
-- start, so nothing is logged: after a crash of PostgreSQL the tables are empty.
create unlogged table rate_limits (
  key bytea primary key, -- hash of the limit, the client's network and the account
  points integer not null check (points > 0),
  ends_at timestamptz not null
);

-- Wrong passwords and codes in a row while several servers work on this database.
create unlogged table password_failures (
  key bytea primary key, -- hash of the account, or of the account and a device
  failures integer not null check (failures > 0),
  last_failed_at timestamptz not null
);
