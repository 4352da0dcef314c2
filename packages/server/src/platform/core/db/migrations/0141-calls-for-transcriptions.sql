-- Calls that write down speech, and the length of its sound in milliseconds where the backend reports it. Each partition has
-- the constraint of its own, since it was made like the table.
do $$
declare
  partition regclass;
begin
  alter table requests drop constraint if exists requests_kind_check;
  for partition in select inhrelid::regclass from pg_inherits where inhparent = 'requests'::regclass loop
    execute format('alter table %s drop constraint if exists requests_kind_check', partition);
  end loop;
  -- The rows that exist fulfil it, since it allows more than before.
  alter table requests add constraint requests_kind_check check (
    kind in (
      'chat', 'completion', 'embedding', 'rerank', 'moderation', 'image', 'speech', 'transcription', 'translation'
    )
  ) not valid;
end $$;
alter table requests add audio_ms integer;
