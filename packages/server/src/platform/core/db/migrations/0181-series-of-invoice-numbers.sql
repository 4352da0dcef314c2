-- Numbers of documents are counted by series: the empty one has the invoices of the operator, others are of one organization
-- or of another kind of document.
alter table invoice_numbers add column series text not null default '';
alter table invoice_numbers drop constraint invoice_numbers_pkey;
alter table invoice_numbers add primary key (series, year, is_test);
-- Names the organization in numbers that are counted by organization. It may have gaps; the numbers have none.
create sequence customer_numbers as integer;
alter table billing_accounts add column customer_number integer unique;
