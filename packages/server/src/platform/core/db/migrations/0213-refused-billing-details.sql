-- What people changed at the payment service and billing details do not take: for each part (name, email or address), why.
-- It is over once billing details are saved after that moment.
alter table payment_customers
  add column refused_details jsonb,
  add column refused_at timestamptz,
  add constraint refused_details_have_moment check ((refused_details is null) = (refused_at is null));
