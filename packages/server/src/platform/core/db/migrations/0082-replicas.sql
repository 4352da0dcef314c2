-- The server processes that work on this database. Each counts up `renewals` every two seconds; the others delete the row
-- of one that has stopped counting, and with it all that the replica has borrowed.
create table replicas (
  id text primary key,
  address text not null, -- where it listens for other replicas
  can_lead boolean not null,
  renewals bigint not null default 0,
  started_at timestamptz not null default now()
);

-- The replica that runs jobs, local models and deployments: at most one row.
create table replica_leader (
  only_one boolean primary key default true check (only_one),
  replica_id text not null references replicas (id) on delete cascade
);

-- Concurrency units that a replica has borrowed of a pool, which is an organization's plan or an API key's share. The sum
-- of a pool never exceeds its limit.
create table borrowed_units (
  pool text not null, -- 'organization:<id>' or 'key:<id>'
  replica_id text not null references replicas (id) on delete cascade,
  units integer not null check (units > 0),
  primary key (pool, replica_id)
);
create index borrowed_units_by_replica on borrowed_units (replica_id);
