-- What the export for accounting reads, in the order in which it reads it.
create index invoices_by_date on invoices (created_at, id);
create index credit_notes_by_date on credit_notes (created_at, id);
create index payments_by_settlement on payments (settled_at, id) where status = 'succeeded';
