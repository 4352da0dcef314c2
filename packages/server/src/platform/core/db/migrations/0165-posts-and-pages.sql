-- Posts of the blog and pages of the operator that admins wrote. Files of the data folder and posts that come with Feather have
-- no row, until one takes their place.
create table content_items (
  kind text not null check (kind in ('post', 'page')),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 100),
  title text not null,
  description text not null,
  author text,
  tags text[] not null check (cardinality(tags) <= 10),
  body text not null,
  is_draft boolean not null,
  -- When it was published, or will be. Null for a draft without a time.
  published_at timestamptz,
  version integer not null check (version > 0),
  edited_by text references users (id) on delete set null,
  edited_at timestamptz not null,
  primary key (kind, slug),
  check (is_draft or published_at is not null)
);
create index content_items_by_editor on content_items (edited_by);

create trigger added_content_items_are_announced after insert on content_items
  referencing new table as changed_rows for each statement execute function announce_changed_rows();
create trigger changed_content_items_are_announced after update on content_items for each row
  when (old.* is distinct from new.*)
  execute function announce_change();
create trigger deleted_content_items_are_announced after delete on content_items
  referencing old table as changed_rows for each statement execute function announce_changed_rows();
