alter table payments add column refund_failed_cents integer not null default 0 check (refund_failed_cents >= 0);
-- When the payment service removed a card that was removed here.
alter table payment_methods add column detached_at timestamptz;
create index payment_methods_to_detach on payment_methods (deleted_at) where deleted_at is not null and detached_at is null;
