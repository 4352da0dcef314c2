-- What was used stays in the reports when an organization is deleted; whose it was does not.
alter table requests drop constraint requests_organization_id_fkey;
alter table usage_hours drop constraint usage_hours_organization_id_fkey;
