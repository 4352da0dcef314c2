-- The files that a split model file consists of, in their order, each as {path, size, sha256}. Null for a whole file.
alter table store_pulls add column parts jsonb;
