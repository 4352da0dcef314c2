-- What a customer is at the payment service, where people can change it too: what was last seen there, so that a change
-- there is distinguished from one that was made here.
alter table payment_customers
  -- Name, email and address; null until the portal was opened.
  add column service_details jsonb,
  -- The card that pays there, by its reference.
  add column service_default_card text,
  add column portal_opened_at timestamptz,
  -- Grows each time that the customer is read there. What an older reading found is not applied after a newer one began.
  add column readings integer not null default 0;
create index payment_customers_by_reference on payment_customers (driver, reference);
