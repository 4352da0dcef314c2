-- An endpoint that an application's token made or changed, and an invitation that it sent, end with the permission: the endpoint is
-- disabled, since its address or its secret may be the application's, and the invitation is withdrawn.
alter table webhook_endpoints
  add made_under_grant text references oauth_grants (id) on delete set null,
  -- Whether the admins of the organization are still to be told by mail that it was disabled.
  add disabled_notice_due boolean not null default false,
  drop constraint webhook_endpoints_disabled_reason_check,
  add constraint webhook_endpoints_disabled_reason_check
    check (disabled_reason in ('manual', 'failing', 'gone', 'permission_ended'));
create index webhook_endpoints_by_grant on webhook_endpoints (made_under_grant) where made_under_grant is not null;
create index webhook_endpoints_by_notice on webhook_endpoints (id) where disabled_notice_due;

alter table invitations add made_under_grant text references oauth_grants (id) on delete set null;
create index invitations_by_grant on invitations (made_under_grant) where made_under_grant is not null;

create function end_webhooks_and_invitations_of_grant(ended_grant text) returns void language sql as $$
  update webhook_deliveries set status = 'failed', error = coalesce(error || ' ', '') || 'The endpoint was disabled.'
    where status = 'pending'
      and endpoint_id in (
        select id from webhook_endpoints where made_under_grant = ended_grant and disabled_reason is null
      );
  update webhook_endpoints set disabled_reason = 'permission_ended', disabled_notice_due = true
    where made_under_grant = ended_grant and disabled_reason is null;
  delete from invitations where made_under_grant = ended_grant and used_at is null;
$$;
create function end_what_a_grant_made() returns trigger language plpgsql as $$
begin
  perform end_webhooks_and_invitations_of_grant(old.id);
  return old;
end $$;
create trigger webhooks_and_invitations_end_with_their_grant before delete on oauth_grants
  for each row execute function end_what_a_grant_made();
