-- A key that an application made for its user ends with the permission that the user gave it.
alter table api_keys add made_by_application text references applications (id) on delete set null;
alter table api_keys add made_under_grant text references oauth_grants (id) on delete set null;
create index api_keys_by_grant on api_keys (made_under_grant) where made_under_grant is not null;

-- Marks keys as deleted, whatever way the permission goes: what they spent stays on record.
create function end_keys_of_grant() returns trigger language plpgsql as $$
begin
  update api_keys set deleted_at = now() where made_under_grant = old.id and deleted_at is null;
  return old;
end $$;
create trigger keys_end_with_their_grant before delete on oauth_grants
  for each row execute function end_keys_of_grant();

-- A deployment's token ends with the key or the permission that it was made with.
alter table deployment_tokens add made_by_key text references api_keys (id) on delete cascade;
alter table deployment_tokens add made_under_grant text references oauth_grants (id) on delete cascade;
create index deployment_tokens_by_key on deployment_tokens (made_by_key) where made_by_key is not null;
create index deployment_tokens_by_grant on deployment_tokens (made_under_grant) where made_under_grant is not null;

-- When an admin last looked at an application as it is now; null for one that nobody looked at.
alter table applications add reviewed_at timestamptz;
-- Whether it may sign people in on devices without a browser.
alter table applications add device_flow boolean not null default false;

-- The command line asks for all that its commands need. What people allowed it before stays as it was.
update applications
  set scopes = array['user.read', 'user.write', 'api.access', 'keys.write', 'deployments.write', 'members.write', 'billing.write'],
      device_flow = true
  where id = 'app_feather_cli';
