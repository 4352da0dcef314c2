-- Where a tax cannot be calculated without the address of the buyer, they are asked for it once.
alter table billing_notices
  drop constraint billing_notices_kind_check,
  add constraint billing_notices_kind_check
    check (kind in ('trial_end', 'yearly_renewal', 'card_expiry', 'tax_address'));

alter table auto_top_ups
  drop constraint auto_top_ups_pause_reason_check,
  add constraint auto_top_ups_pause_reason_check
    check (pause_reason in ('card_declined', 'not_confirmed', 'no_card', 'no_address', 'refunded', 'disputed'));
