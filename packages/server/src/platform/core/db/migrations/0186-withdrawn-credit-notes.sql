-- A refund can fail after its credit note was issued. The note keeps its number, and counts no more from then on.
alter table credit_notes add column withdrawn_at timestamptz;
create index credit_notes_by_withdrawal on credit_notes (withdrawn_at) where withdrawn_at is not null;
