-- The classes of the platform's own table come first; what may be called by whom; what users do with models.
create function words_of(words text[]) returns text immutable parallel safe language sql as $$
  select array_to_string(words, ' ')
$$;

-- Words of it are looked for at their beginnings, so the first has a space before it as well.
alter table models drop column search_text;
alter table models add column search_text text generated always as (
  ' ' || lower(
    translate(id, '/-_.', '    ') || ' ' || id || ' ' || coalesce(family_id, '') || ' ' || coalesce(sub_type_id, '')
    || ' ' || words_of(tags) || ' ' || description
  )
) stored;
create index models_search on models using gin (search_text gin_trgm_ops);
-- The id run together, as people write it: llama3.1 for llama-3.1.
alter table models add column joined_id text generated always as (lower(translate(id, '/-_.', ''))) stored;
create index models_by_joined_id on models using gin (joined_id gin_trgm_ops);
create index models_by_spelling on models using gin (id_lower gin_trgm_ops);

-- The words of the catalogue's ids, families and tags: what a misspelt word of a search may stand for.
create extension if not exists fuzzystrmatch;
create table catalogue_words (word text primary key);
create index catalogue_words_by_spelling on catalogue_words using gin (word gin_trgm_ops);

create function words_in(text) returns setof text immutable parallel safe language sql as $$
  select word from regexp_split_to_table(lower($1), '[^[:alnum:]]+') as word where length(word) between 3 and 40
$$;

create function learn_words() returns trigger language plpgsql as $$
begin
  -- In order, so that two statements never wait for each other.
  insert into catalogue_words (word)
  select distinct word
  from learned, words_in(concat_ws(' ', id, family_id, sub_type_id, words_of(tags))) as word
  where organization_id is null
  order by word
  on conflict do nothing;
  return null;
end $$;
create trigger models_teach_words after insert on models
  referencing new table as learned for each statement execute function learn_words();
insert into catalogue_words (word)
select distinct word from models, words_in(concat_ws(' ', id, family_id, sub_type_id, words_of(tags))) as word
where organization_id is null;

alter table models
  -- Only organizations on one of these plans may call it; null lets every plan.
  add column plan_ids text[],
  add column disabled_at timestamptz,
  add column hub_revision text,
  add column hub_checked_at timestamptz,
  add column hf_created_at timestamptz;
-- One for each order that readers may ask for.
drop index models_by_release;
create index models_by_release on models (released_date desc nulls last, id_lower);
create index models_by_downloads on models (downloads desc, id_lower);
create index models_by_favorites on models (favorites desc, id_lower);
create index models_by_hub_date on models (hf_created_at desc nulls last, id_lower);
create index models_by_creation on models (created_at desc, id_lower);
create index models_by_size on models (parameter_size asc nulls last, id_lower);
create index models_by_size_falling on models (parameter_size desc nulls last, id_lower);
create index models_by_rating on models (avg_rating desc nulls last, id_lower);
create index models_by_name on models (lower(name), id_lower);
create index models_by_tags on models using gin (tags);
create index models_by_architecture on models (architecture) where architecture is not null;

-- What the hub was asked for and does not have, so that it is asked once a day.
create table hub_misses (
  id_lower text primary key,
  checked_at timestamptz not null
);

-- Models that an admin took out, so that news of the catalogue do not bring them back.
create table removed_models (
  id_lower text primary key,
  removed_at timestamptz not null
);

create table favorites (
  user_id text not null references users (id) on delete cascade,
  model_id text not null references models (id) on delete cascade,
  created_at timestamptz not null,
  primary key (user_id, model_id)
);
create index favorites_by_model on favorites (model_id);

create function count_favorites() returns trigger language plpgsql as $$
begin
  update models set favorites = favorites + (case tg_op when 'INSERT' then 1 else -1 end)
    where id = coalesce(new.model_id, old.model_id);
  return null;
end $$;
create trigger favorites_are_counted after insert or delete on favorites
  for each row execute function count_favorites();

create table review_tags (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  label text not null,
  position integer not null
);
insert into review_tags (id, label, position)
select id, upper(left(id, 1)) || replace(substr(id, 2), '-', ' '), position
from unnest(array[
  'roleplay', 'creative-writing', 'coding', 'reasoning', 'instruction-following', 'multilingual', 'tool-use',
  'long-context', 'fast', 'accurate', 'verbose', 'refuses', 'repetitive', 'hallucinates'
]) with ordinality as tags (id, position);

alter table reviews
  add column hidden_at timestamptz;

create table review_votes (
  review_id text not null references reviews (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (review_id, user_id)
);

create table review_reports (
  review_id text not null references reviews (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  reason text not null,
  created_at timestamptz not null,
  -- When an admin decided about the review.
  resolved_at timestamptz,
  primary key (review_id, user_id)
);
create index review_reports_open on review_reports (review_id) where resolved_at is null;

-- Figures of models follow from their reviews also where those go with their author. The model's row is locked before
-- the reviews are read, so that of two reviews at once the second counts both.
create function summarize_reviews() returns trigger language plpgsql as $$
declare
  model text := coalesce(new.model_id, old.model_id);
begin
  perform 1 from models where id = model for no key update;
  update models set (avg_rating, total_reviews) = (
    select round(avg(rating), 2), count(*) from reviews where model_id = model and hidden_at is null
  ) where id = model;
  return null;
end $$;
create trigger reviews_are_summarized after insert or delete or update of rating, hidden_at on reviews
  for each row execute function summarize_reviews();

create function count_review_votes() returns trigger language plpgsql as $$
begin
  update reviews set helpful_count = helpful_count + (case tg_op when 'INSERT' then 1 else -1 end)
    where id = coalesce(new.review_id, old.review_id);
  return null;
end $$;
create trigger review_votes_are_counted after insert or delete on review_votes
  for each row execute function count_review_votes();

-- What organizations ask for: models that the catalogue lacks, or that nothing runs yet.
create table model_requests (
  organization_id text not null references organizations (id) on delete cascade,
  id_lower text not null,
  model_id text not null,
  requested_by text references users (id) on delete set null,
  hub_revision text,
  hub_token bytea,
  created_at timestamptz not null,
  primary key (organization_id, id_lower)
);
create index model_requests_by_model on model_requests (id_lower);

create table model_unlocks (
  organization_id text not null references organizations (id) on delete cascade,
  model_id text not null references models (id) on delete cascade,
  method text not null check (method in ('token', 'waived')),
  hub_user text,
  hub_token bytea,
  unlocked_by text references users (id) on delete set null,
  unlocked_at timestamptz not null,
  primary key (organization_id, model_id)
);
