-- Memberships that begin in the same moment keep the order in which they were made: which organization somebody acts for
-- without choosing one hangs on it.
alter table memberships add column position bigint generated always as identity;
