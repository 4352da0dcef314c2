-- Daily comparisons of our payments with those of the payment service.
create table payment_checks (
  checked_at timestamptz primary key,
  charges integer not null,
  refunds integer not null,
  disputes integer not null,
  differences jsonb not null
);
