-- Texts that people begin messages with, and personas: instructions with a model and settings. Of people and of organizations.
create table prompts (
  organization_id text not null references organizations (id) on delete cascade,
  id uuid not null,
  -- Null for one of the organization.
  user_id text references users (id) on delete cascade,
  kind text not null check (kind in ('message', 'persona')),
  name text not null,
  -- Text, model and settings, encrypted with the organization's key.
  sealed_fields bytea not null,
  version integer not null,
  updated_by text references users (id) on delete set null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, user_id, kind, name)
);
create index prompts_by_user on prompts (user_id);
create index prompts_by_editor on prompts (updated_by);
