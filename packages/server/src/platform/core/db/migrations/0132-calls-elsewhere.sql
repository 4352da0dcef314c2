-- Whether calls of an organization may go elsewhere: to providers and other public addresses. Null for what the operator's
-- setting says.
alter table organizations add column calls_elsewhere boolean;

create trigger changed_organizations_are_announced after update on organizations for each row
  when (old.calls_elsewhere is distinct from new.calls_elsewhere)
  execute function announce_change();
