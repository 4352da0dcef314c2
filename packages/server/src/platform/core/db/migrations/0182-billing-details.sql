-- To whom an organization's invoices are written, and the address of its accounting.
create table billing_details (
  organization_id text primary key references organizations (id) on delete cascade,
  name text,
  address text,
  country text,
  vat_id text,
  email text,
  updated_at timestamptz not null,
  constraint vat_ids_have_a_country check (vat_id is null or country is not null)
);
-- The rate of the tax; null for invoices from before it was recorded.
alter table invoices add column tax_percent numeric(5, 2);
alter table invoices add column reverse_charge boolean not null default false;
