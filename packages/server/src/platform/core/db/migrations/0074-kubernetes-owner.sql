-- Marks the objects of this installation in a cluster that it may share with others: one row.
create table kubernetes_owner (
  only_row boolean primary key default true check (only_row),
  id text not null
);
insert into kubernetes_owner (id) values ('feather-' || replace(gen_random_uuid()::text, '-', ''));
