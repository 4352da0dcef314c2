-- Whether metered calls may go to providers that charge more than the price of the model.
alter table routing_rules add refuse_below_cost boolean not null default false;
