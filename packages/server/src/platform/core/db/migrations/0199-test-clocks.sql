-- How many days the time of an organization is ahead in billing, while payments are tests.
alter table billing_accounts add column days_ahead integer not null default 0 check (days_ahead between 0 and 3660);
