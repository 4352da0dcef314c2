-- One index that every word of a search can be looked up in at once: what names and texts say, run together.
drop index models_search;
drop index models_by_joined_id;
drop index models_by_spelling;
alter table models drop column joined_id;
alter table models add column joined_text text generated always as (
  lower(translate(
    id || ' ' || coalesce(family_id, '') || ' ' || coalesce(sub_type_id, '') || ' ' || words_of(tags) || ' ' || description,
    '/-_.', ''
  ))
) stored;
create index models_by_text on models using gin (joined_text gin_trgm_ops);

-- Filters that may leave few of very many.
create index models_by_owner on models (lower(owned_by));
create index models_by_license on models (lower(license));
create index models_by_class on models (lower(model_class_id));
create index models_by_sub_type on models (lower(sub_type_id));
create index models_by_languages on models using gin (languages);
create index models_by_modalities on models using gin (input_modalities);

-- Misspelt words mostly begin as they should.
create index catalogue_words_by_beginning on catalogue_words (left(word, 1), length(word));
create index models_chosen on models (source) where source <> 'hub';
