-- Since when a subscription waits for an admin, because it is more than one period behind. Nobody is charged meanwhile.
alter table subscriptions add column held_at timestamptz;
create index subscriptions_held on subscriptions (held_at) where held_at is not null and ended_at is null;

-- Invoices of test payments have numbers of their own, TEST-2026-0001. Those that were made before keep theirs.
alter table invoice_numbers add column is_test boolean not null default false;
alter table invoice_numbers alter column is_test drop default;
alter table invoice_numbers drop constraint invoice_numbers_pkey;
alter table invoice_numbers add primary key (year, is_test);
