-- The currency in which the seller declares taxes, where it is not the invoice's, with its minor units for one US dollar when
-- the invoice was issued.
alter table invoices
  add column tax_currency text check (tax_currency <> currency),
  add column tax_minor_per_usd numeric(18, 8) check (tax_minor_per_usd > 0),
  add constraint tax_currency_has_rate check ((tax_currency is null) = (tax_minor_per_usd is null));
