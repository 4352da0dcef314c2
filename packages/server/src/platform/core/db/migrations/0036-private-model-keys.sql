-- Models of organizations get keys of their own (`org_…:owner/name`), so that several organizations may have the same id,
-- and none keeps an id from the public catalogue. `models.id` is that key; for a public model it is the id itself.
-- The id by which a model is called, from its key.
create function model_id_of(key text) returns text immutable parallel safe language sql as $$
  select regexp_replace(key, '^[^:/]*:', '')
$$;

alter table reviews drop constraint reviews_model_id_fkey,
  add constraint reviews_model_id_fkey foreign key (model_id) references models (id) on delete cascade on update cascade;
alter table favorites drop constraint favorites_model_id_fkey,
  add constraint favorites_model_id_fkey foreign key (model_id) references models (id) on delete cascade on update cascade;
alter table model_unlocks drop constraint model_unlocks_model_id_fkey,
  add constraint model_unlocks_model_id_fkey foreign key (model_id) references models (id) on delete cascade on update cascade;
alter table private_models drop constraint private_models_model_id_fkey,
  add constraint private_models_model_id_fkey foreign key (model_id) references models (id) on delete cascade on update cascade;

update requests r set model_id = m.organization_id || ':' || r.model_id
  from models m where m.id = r.model_id and m.organization_id = r.organization_id;
update usage_hours u set model_id = m.organization_id || ':' || u.model_id
  from models m where m.id = u.model_id and m.organization_id = u.organization_id;
update deployments d set model_id = m.organization_id || ':' || d.model_id
  from models m where m.id = d.model_id and m.organization_id = d.organization_id;
update models set id = organization_id || ':' || id, id_lower = lower(organization_id || ':' || id)
  where organization_id is not null;
alter table models add constraint models_key check (organization_id is null or starts_with(id, organization_id || ':'));

-- Search reads the id, not the key.
drop index models_by_text;
alter table models drop column joined_text, drop column search_text;
alter table models add column search_text text generated always as (
  ' ' || lower(
    translate(model_id_of(id), '/-_.', '    ') || ' ' || model_id_of(id) || ' ' || coalesce(family_id, '') || ' ' || coalesce(sub_type_id, '') || ' ' || words_of(tags) || ' ' || description
  )
) stored;
alter table models add column joined_text text generated always as (
  lower(translate(
    model_id_of(id) || ' ' || coalesce(family_id, '') || ' ' || coalesce(sub_type_id, '') || ' ' || words_of(tags) || ' ' || description,
    '/-_.', ''
  ))
) stored;
create index models_by_text on models using gin (joined_text gin_trgm_ops);
