-- A context that nobody states is unknown. Until now classes had one that was made up: 4096 where their only model states none,
-- and 8192 for the classes of models of which only the size counts.
alter table model_classes alter column context_length drop not null;

update model_classes set context_length = null
  where context_length = 8192 and id in ('up-to-15b', 'up-to-34b', 'over-34b', 'unknown');

update model_classes c set context_length = null
  where context_length = 4096 and id in ('falcon-mamba-7b3', 'rwkv-4-14b', 'laguna-118b')
    and not exists (select from models m where m.model_class_id = c.id and m.context_length is not null);
