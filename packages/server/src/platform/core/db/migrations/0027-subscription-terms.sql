-- Each change of a plan's price or interval counts one up. It holds for those who buy from then on.
alter table plans add column version integer not null default 1;

-- What was agreed when a subscription was bought: the price of one interval and one unit of quantity. Granted ones have none.
alter table subscriptions
  add column price_cents integer check (price_cents >= 0),
  add column currency text not null default 'USD',
  add column plan_version integer not null default 1,
  -- The price of the plan that waits for the end of the period, as it was when it was chosen.
  add column pending_price_cents integer check (pending_price_cents >= 0),
  add column pending_billing_interval text check (pending_billing_interval in ('month', 'year')),
  -- A change of price that the buyer was told of, which holds for the first period that begins at this date or later.
  add column next_price_cents integer check (next_price_cents >= 0),
  add column next_billing_interval text check (next_billing_interval in ('month', 'year')),
  add column next_price_date timestamptz,
  add constraint next_price_is_whole check (
    (next_price_cents is null) = (next_price_date is null) and (next_billing_interval is null) = (next_price_date is null)
  );

-- Those who bought before pay what their plan costs now, for the interval that they bought.
update subscriptions set price_cents = case
    when plans.billing_interval = subscriptions.billing_interval then plans.price_usd_cents
    when plans.billing_interval = 'year' then round(plans.price_usd_cents / 12.0)
    else plans.price_usd_cents * 12
  end
  from plans where plans.id = subscriptions.plan_id and subscriptions.anchor_date is not null;
update subscriptions
  set pending_price_cents = plans.price_usd_cents, pending_billing_interval = plans.billing_interval
  from plans where plans.id = subscriptions.pending_plan_id;

-- Messages before money is taken. Each is sent once; `about` is the date or the card that it is about.
create table billing_notices (
  subscription_id text not null references subscriptions (id) on delete cascade,
  kind text not null check (kind in ('trial_end', 'yearly_renewal', 'card_expiry')),
  about text not null,
  sent_at timestamptz not null,
  primary key (subscription_id, kind, about)
);
