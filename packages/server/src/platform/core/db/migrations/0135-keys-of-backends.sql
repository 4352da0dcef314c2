-- The keys of the backends that administrators added. `backends.sealed_api_key` is a copy of one of them, which servers of
-- earlier versions use.
create table backend_keys (
  id text primary key,
  backend_id text not null references backends (id) on delete cascade,
  label text not null,
  weight integer not null default 1 check (weight between 1 and 1000),
  sealed_key bytea,
  created_at timestamptz not null default now(),
  unique (backend_id, label)
);

-- A key that is set in `backends` replaces all others, whichever version of the server sets it; one that is among them does not.
create function replace_backend_keys() returns trigger language plpgsql as $$
begin
  if new.sealed_api_key is not null
      and exists (select from backend_keys where backend_id = new.id and sealed_key = new.sealed_api_key) then
    return null;
  end if;
  delete from backend_keys where backend_id = new.id;
  if new.sealed_api_key is not null then
    insert into backend_keys (id, backend_id, label, sealed_key)
      values ('bky_' || replace(gen_random_uuid()::text, '-', ''), new.id, 'key 1', new.sealed_api_key);
  end if;
  return null;
end $$;

insert into backend_keys (id, backend_id, label, sealed_key, created_at)
  select 'bky_' || md5(id), id, 'key 1', sealed_api_key, created_at
  from backends where sealed_api_key is not null;

create trigger keys_follow_backends after insert or update of sealed_api_key on backends for each row
  execute function replace_backend_keys();

create trigger added_backend_keys_are_announced after insert on backend_keys
  referencing new table as changed_rows for each statement execute function announce_changed_rows();
create trigger deleted_backend_keys_are_announced after delete on backend_keys
  referencing old table as changed_rows for each statement execute function announce_changed_rows();
