-- A request holds its units from when its turn came, not from when it arrived.
alter table requests add column queued_ms integer not null default 0;
