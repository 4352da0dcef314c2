-- Taxes that a tax service calculates, and what of them is reported to it.

-- What the service calculated for the invoice; null where the tax is a rate of the settings.
alter table invoices
  add column tax_calculation jsonb,
  -- Sums of rates have up to four decimals.
  alter column tax_percent type numeric(7, 4);

-- Calculations for quotes, until an invoice uses one or an hour has passed.
create table tax_calculations (
  reference text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  -- Hash of address, VAT id and currency.
  subject_hash text not null,
  net_cents bigint not null check (net_cents > 0),
  calculation jsonb not null,
  created_at timestamptz not null
);
create index tax_calculations_by_subject on tax_calculations (organization_id, subject_hash);
create index tax_calculations_by_age on tax_calculations (created_at);

-- What is to be reported: written with the invoice that is paid or the credit note, sent by a job.
create table tax_reports (
  -- The id of the invoice or credit note, and for a failed refund a suffix: the service takes each once.
  id text primary key,
  kind text not null check (kind in ('sale', 'refund', 'failed_refund')),
  invoice_id text not null references invoices (id),
  credit_note_id text references credit_notes (id),
  created_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  -- The id at the service once it is reported, or the code with which the service refused it for good.
  reference text,
  refusal text,
  constraint notes_of_refunds check ((kind = 'sale') = (credit_note_id is null)),
  constraint one_outcome check (reference is null or refusal is null)
);
create index tax_reports_due on tax_reports (attempts, created_at) where reference is null and refusal is null;
create index tax_reports_refused on tax_reports (created_at) where refusal is not null;
