-- When the model began to run here and a mail went to those who requested it; null while the request is open.
alter table model_requests add column answered_at timestamptz;
create index open_model_requests on model_requests (id_lower) where answered_at is null;
