-- The order in which requests began to wait for units that other replicas had borrowed: numbers need no common clock.
create sequence unit_turns;

-- Models that an organization has called, each until it counts no longer, by the clock of the database. A replica sets
-- `free_at` ahead while it calls a model, and sets it back to the last call plus a minute when the calls stop. The rows
-- outlive their replica, since the calls were made.
create table model_switches (
  organization_id text not null references organizations (id) on delete cascade,
  model text not null,
  replica_id text not null,
  free_at timestamptz not null,
  primary key (organization_id, model, replica_id)
);

-- Requests of an organization on a UTC day: those made, and those that replicas have taken ahead and not given back. What
-- a replica had ahead when it was killed counts as made.
create table daily_requests (
  organization_id text not null references organizations (id) on delete cascade,
  day date not null,
  counted integer not null check (counted >= 0),
  primary key (organization_id, day)
);
