-- Requests counted against rate limits while several servers work on this database. The columns are those that
-- rate-limiter-flexible expects, in its order. Lost counts only give callers a new start, so nothing is logged: after a
-- crash of PostgreSQL the table is empty.
create unlogged table rate_limits (
  key text primary key, -- limit and hash of the client's network and account
  points integer not null,
  expire bigint -- milliseconds since the epoch
);

-- Wrong passwords and codes in a row while several servers work on this database.
create unlogged table password_failures (
  key bytea primary key, -- hash of the account, or of the account and a device
  failures integer not null check (failures > 0),
  last_failed_at timestamptz not null
);
