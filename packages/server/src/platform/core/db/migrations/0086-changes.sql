-- Announces to every server process that a table has changed whose rows it keeps in memory (core/replicas/changes.ts). The
-- name of the table arrives when the change is committed, whoever made it. Columns that nobody keeps in memory, such as
-- the time an API key was last used, announce nothing.
create function announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('feather_changes', tg_table_name);
  return null;
end $$;

-- For statements: announces only those that added or deleted a row.
create function announce_changed_rows() returns trigger language plpgsql as $$
begin
  if exists (select from changed_rows) then
    perform pg_notify('feather_changes', tg_table_name);
  end if;
  return null;
end $$;

create trigger added_api_keys_are_announced after insert on api_keys
  referencing new table as changed_rows for each statement execute function announce_changed_rows();
create trigger deleted_api_keys_are_announced after delete on api_keys
  referencing old table as changed_rows for each statement execute function announce_changed_rows();
create trigger changed_api_keys_are_announced after update on api_keys for each row
  when ((old.secret_hash, old.previous_secret_hash, old.previous_secret_expires_at, old.organization_id, old.created_by,
      old.scopes, old.allowed_models, old.ip_allowlist, old.max_concurrency, old.spend_limit_nano_usd, old.limit_reset,
      old.expires_at, old.disabled, old.deleted_at, old.made_by_application, old.made_under_grant)
    is distinct from (new.secret_hash, new.previous_secret_hash, new.previous_secret_expires_at, new.organization_id,
      new.created_by, new.scopes, new.allowed_models, new.ip_allowlist, new.max_concurrency, new.spend_limit_nano_usd,
      new.limit_reset, new.expires_at, new.disabled, new.deleted_at, new.made_by_application, new.made_under_grant))
  execute function announce_change();

create trigger deleted_users_are_announced after delete on users
  referencing old table as changed_rows for each statement execute function announce_changed_rows();
create trigger changed_users_are_announced after update on users for each row
  when ((old.is_admin, old.suspended_at, old.email_verified_at)
    is distinct from (new.is_admin, new.suspended_at, new.email_verified_at))
  execute function announce_change();

create trigger added_memberships_are_announced after insert on memberships
  referencing new table as changed_rows for each statement execute function announce_changed_rows();
create trigger deleted_memberships_are_announced after delete on memberships
  referencing old table as changed_rows for each statement execute function announce_changed_rows();
create trigger changed_memberships_are_announced after update on memberships for each row
  when ((old.user_id, old.organization_id, old.role) is distinct from (new.user_id, new.organization_id, new.role))
  execute function announce_change();

create trigger deleted_applications_are_announced after delete on applications
  referencing old table as changed_rows for each statement execute function announce_changed_rows();
create trigger changed_applications_are_announced after update on applications for each row
  when (old.status is distinct from new.status)
  execute function announce_change();

create trigger changed_plans_are_announced after update on plans for each row
  when (old.* is distinct from new.*)
  execute function announce_change();

create trigger added_subscriptions_are_announced after insert on subscriptions
  referencing new table as changed_rows for each statement execute function announce_changed_rows();
create trigger deleted_subscriptions_are_announced after delete on subscriptions
  referencing old table as changed_rows for each statement execute function announce_changed_rows();
create trigger changed_subscriptions_are_announced after update on subscriptions for each row
  when (old.* is distinct from new.*)
  execute function announce_change();

-- How often a coupon was redeemed is read from the table where it matters.
create trigger changed_coupons_are_announced after update on coupons for each row
  when ((old.amount_off_cents, old.percent_off, old.duration, old.months, old.applies_to, old.ended_at)
    is distinct from (new.amount_off_cents, new.percent_off, new.duration, new.months, new.applies_to, new.ended_at))
  execute function announce_change();

create trigger added_prices_are_announced after insert on prices
  referencing new table as changed_rows for each statement execute function announce_changed_rows();

create trigger added_models_are_announced after insert on models
  referencing new table as changed_rows for each statement execute function announce_changed_rows();
create trigger deleted_models_are_announced after delete on models
  referencing old table as changed_rows for each statement execute function announce_changed_rows();
create trigger changed_models_are_announced after update on models for each row
  when ((old.id, old.model_class_id, old.parameter_size, old.context_length, old.max_completion_tokens,
      old.input_modalities, old.is_gated, old.plan_ids, old.disabled_at, old.organization_id)
    is distinct from (new.id, new.model_class_id, new.parameter_size, new.context_length, new.max_completion_tokens,
      new.input_modalities, new.is_gated, new.plan_ids, new.disabled_at, new.organization_id))
  execute function announce_change();

create trigger changed_model_classes_are_announced after update on model_classes for each row
  when ((old.concurrency_cost, old.context_length, old.max_completion_tokens)
    is distinct from (new.concurrency_cost, new.context_length, new.max_completion_tokens))
  execute function announce_change();

create trigger deleted_model_unlocks_are_announced after delete on model_unlocks
  referencing old table as changed_rows for each statement execute function announce_changed_rows();

create trigger added_backends_are_announced after insert on backends
  referencing new table as changed_rows for each statement execute function announce_changed_rows();
create trigger deleted_backends_are_announced after delete on backends
  referencing old table as changed_rows for each statement execute function announce_changed_rows();
create trigger changed_backends_are_announced after update on backends for each row
  when ((old.name, old.base_url, old.sealed_api_key, old.models, old.weight, old.enabled)
    is distinct from (new.name, new.base_url, new.sealed_api_key, new.models, new.weight, new.enabled))
  execute function announce_change();
