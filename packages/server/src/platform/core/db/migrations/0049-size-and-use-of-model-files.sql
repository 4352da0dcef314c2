-- Number of parameters of a model file, summed over its tensors. Null for files that were stored before it was counted.
alter table store_files add column parameter_size bigint;
-- When the model was last called; null if it was not since the file came.
alter table store_files add column last_used_at timestamptz;
