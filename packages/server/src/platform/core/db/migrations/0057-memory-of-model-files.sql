-- What a model takes in memory besides its file and its context, in bytes: for its vocabulary, and for each of its
-- sequences, whatever their length. Null for files that were stored before it was read.
alter table store_files add column vocabulary_bytes bigint;
alter table store_files add column bytes_per_sequence bigint;
