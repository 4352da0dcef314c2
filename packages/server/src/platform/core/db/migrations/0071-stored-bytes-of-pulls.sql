-- Bytes that a download takes in the store when it is done, where these are others than those that are downloaded: a
-- conversion keeps the file that it makes. The size is an estimate.
alter table store_pulls add column stored_bytes bigint check (stored_bytes >= 0);
