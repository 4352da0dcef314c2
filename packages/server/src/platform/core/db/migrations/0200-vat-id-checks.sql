-- What VIES says of the VAT id of an organization. Without a row the id is not asked about. `answered_at` and
-- `consultation_number` are of the last answer; a fault after it leaves them and the state as they are.
create table vat_id_checks (
  organization_id text primary key references organizations (id) on delete cascade,
  vat_id text not null,
  state text not null check (state in ('checking', 'valid', 'invalid', 'unavailable')),
  answered_at timestamptz,
  consultation_number text,
  failures integer not null default 0 check (failures >= 0),
  next_check_at timestamptz not null,
  constraint answers_have_a_time check ((state in ('valid', 'invalid')) = (answered_at is not null))
);
create index vat_id_checks_due on vat_id_checks (next_check_at);
-- What VIES had said of the buyer's VAT id when the invoice was issued; null where it was not asked.
alter table invoices
  add column vat_id_state text check (vat_id_state in ('checking', 'valid', 'invalid', 'unavailable')),
  add column vat_id_answered_at timestamptz,
  add column vat_id_consultation_number text;
