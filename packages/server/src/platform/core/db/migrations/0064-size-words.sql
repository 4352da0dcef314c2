-- Sizes in the text index, so that a search such as "coder 32b" is one look-up: those that a name says, such as 32b, and
-- a class of the number of parameters, each 3 % wider than the one before.
create function size_words(id text, parameters bigint) returns text[] language sql immutable parallel safe as $$
  select array(
    select distinct size[2]
    from regexp_matches(lower(id), '(^|[^0-9a-z.])((?:\d+x)?\d+(?:\.\d+)?[bmt])(?![0-9a-z])', 'g') as size
    union all
    select 'ln' || floor(ln(parameters::double precision) * 32) where parameters > 0
  )
$$;
alter table models add column size_words text[]
  generated always as (size_words(model_id_of(id), parameter_size)) stored;
drop index models_by_text;
create index models_by_text on models using gin (joined_text gin_trgm_ops, size_words);
