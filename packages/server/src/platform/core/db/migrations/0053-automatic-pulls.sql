-- The organization whose call or request started the download by itself; null for one that an administrator started.
alter table store_pulls add column automatic_for text references organizations (id) on delete set null;
