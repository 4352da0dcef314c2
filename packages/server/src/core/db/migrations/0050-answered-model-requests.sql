-- When the model began to run here and its requesters were told; null while the request is open.
alter table model_requests add column answered_at timestamptz;
create index open_model_requests on model_requests (id_lower) where answered_at is null;
