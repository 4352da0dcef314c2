-- The operator's rules for all calls, in one row: in which order the backends of a model are tried.
create table routing_rules (
  id boolean primary key default true check (id),
  backend_order text not null default 'balanced'
    check (backend_order in ('balanced', 'own_first', 'price', 'latency', 'throughput'))
);
insert into routing_rules default values;

create trigger changed_routing_rules_are_announced after update on routing_rules for each row
  when (old.backend_order is distinct from new.backend_order)
  execute function announce_change();
