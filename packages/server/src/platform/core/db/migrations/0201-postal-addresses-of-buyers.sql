-- The place of a buyer apart from the lines of the address, and the reference that public buyers ask for on invoices.
alter table billing_details
  add column postal_code text,
  add column city text,
  add column buyer_reference text;
