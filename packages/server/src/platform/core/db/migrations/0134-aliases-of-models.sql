-- Names under which models are called beside their ids, in lower case. Each stands for models in the order in which they are
-- tried. Models are no foreign keys: an alias outlives them, and may name those that the catalogue gets later.
create table routing_aliases (
  name text primary key check (name = lower(name)),
  models text[] not null check (cardinality(models) between 1 and 8),
  updated_at timestamptz not null
);

create trigger added_routing_aliases_are_announced after insert on routing_aliases
  referencing new table as changed_rows for each statement execute function announce_changed_rows();
create trigger changed_routing_aliases_are_announced after update on routing_aliases for each row
  when (old.models is distinct from new.models)
  execute function announce_change();
create trigger deleted_routing_aliases_are_announced after delete on routing_aliases
  referencing old table as changed_rows for each statement execute function announce_changed_rows();

-- The alias that was called. Null for a call of the model's id.
alter table requests add alias text;
