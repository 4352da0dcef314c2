-- Who issued an invoice, as it was then. Null for invoices from before sellers were recorded.
alter table invoices add column seller jsonb;
