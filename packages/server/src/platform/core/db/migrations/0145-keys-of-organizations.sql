-- Whether organizations may use keys of their own at a backend's provider: `allowed`, or `required`, where the backend's own keys
-- only list its models.
alter table backends add own_keys text not null default 'off' check (own_keys in ('off', 'allowed', 'required'));

drop trigger changed_backends_are_announced on backends;
create trigger changed_backends_are_announced after update on backends for each row
  when ((old.name, old.base_url, old.api, old.sealed_api_key, old.models, old.aliases, old.weight, old.enabled, old.own_keys)
    is distinct from (new.name, new.base_url, new.api, new.sealed_api_key, new.models, new.aliases, new.weight, new.enabled,
      new.own_keys))
  execute function announce_change();

-- The keys of organizations for providers. The last refusal by the provider is noted at most once a minute.
create table provider_keys (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  provider text not null,
  label text,
  sealed_key bytea not null,
  last_characters text not null,
  created_by text references users (id) on delete set null,
  created_at timestamptz not null,
  refusal text,
  refused_at timestamptz,
  unique (organization_id, provider)
);
create index provider_keys_by_creator on provider_keys (created_by);

create trigger added_provider_keys_are_announced after insert on provider_keys
  referencing new table as changed_rows for each statement execute function announce_changed_rows();
create trigger deleted_provider_keys_are_announced after delete on provider_keys
  referencing old table as changed_rows for each statement execute function announce_changed_rows();
-- A noted refusal changes nothing for calls.
create trigger changed_provider_keys_are_announced after update on provider_keys for each row
  when ((old.id, old.organization_id, old.provider, old.sealed_key)
    is distinct from (new.id, new.organization_id, new.provider, new.sealed_key))
  execute function announce_change();

-- What calls with such a key cost on metered plans, in percent of the model's price.
alter table routing_rules add own_key_fee_percent numeric(5, 2) not null default 0
  check (own_key_fee_percent between 0 and 100);

drop trigger changed_routing_rules_are_announced on routing_rules;
create trigger changed_routing_rules_are_announced after update on routing_rules for each row
  when (old.* is distinct from new.*)
  execute function announce_change();

-- Whether a request was answered with such a key, and at which percentage it was charged. Null for requests before; the
-- percentage also on flat plans.
alter table requests
  add column own_key boolean,
  add column own_key_fee_percent numeric(5, 2);
