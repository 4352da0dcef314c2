-- An application whose secret another application knows, because it registered it or made its latest secret for a user.
alter table applications add known_to_grant text references oauth_grants (id) on delete set null;
create index applications_by_known_grant on applications (known_to_grant) where known_to_grant is not null;

-- Such an application is switched off with the permission, and its secrets are replaced by ones that nobody knows.
create function switch_off_applications_of_grant(ended_grant text) returns void language sql as $$
  update applications
    set status = case when status in ('active', 'pending') then 'inactive' else status end,
        secret_hash = case when secret_hash is not null
          then sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')) end,
        previous_secret_hash = null,
        previous_secret_expires_at = null
    where known_to_grant = ended_grant
$$;
create function end_applications_of_grant() returns trigger language plpgsql as $$
begin
  perform switch_off_applications_of_grant(old.id);
  return old;
end $$;
create trigger applications_end_with_their_grant before delete on oauth_grants
  for each row execute function end_applications_of_grant();
