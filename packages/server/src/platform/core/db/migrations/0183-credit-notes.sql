-- Documents about refunds of invoices. Refunds from before have none. Seller, buyer and tax are those of the invoice.
create table credit_notes (
  id text primary key,
  invoice_id text not null references invoices (id),
  organization_id text not null,
  number text not null unique,
  tax_cents integer not null check (tax_cents >= 0),
  total_cents integer not null check (total_cents > 0),
  is_test boolean not null,
  created_at timestamptz not null
);
create index credit_notes_by_organization on credit_notes (organization_id, created_at desc);
create index credit_notes_by_invoice on credit_notes (invoice_id);
