-- What the provider charges for a request, in nano-USD. Null for requests before, for those that the provider was not asked for, and where
-- its price is not known.
alter table requests add column provider_cost_nano_usd numeric(30, 0);
alter table usage_hours
  add column provider_cost_nano_usd numeric(30, 0) not null default 0,
  -- Requests that were answered elsewhere, at a price that is not known.
  add column unknown_cost_requests bigint not null default 0;

create or replace function sum_up_requests() returns trigger language plpgsql as $$
begin
  insert into usage_hours as sums (hour, organization_id, model_id, model_class_id, backend, outcome, requests, errors,
    prompt_tokens, completion_tokens, cost_nano_usd, provider_cost_nano_usd, unknown_cost_requests)
  select date_trunc('hour', started_at, 'UTC'), organization_id, model_id, model_class_id, coalesce(backend, ''), outcome,
    count(*), count(*) filter (where outcome = 'failed'), sum(prompt_tokens), sum(completion_tokens), sum(cost_nano_usd),
    coalesce(sum(provider_cost_nano_usd), 0),
    count(*) filter (where provider_cost_nano_usd is null and place not in ('server', 'network') and outcome <> 'failed')
  from written
  group by 1, 2, 3, 4, 5, 6
  order by 1, 2, 3, 4, 5, 6
  on conflict (organization_id, hour, model_id, model_class_id, backend, outcome) do update set
    requests = sums.requests + excluded.requests,
    errors = sums.errors + excluded.errors,
    prompt_tokens = sums.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = sums.completion_tokens + excluded.completion_tokens,
    cost_nano_usd = sums.cost_nano_usd + excluded.cost_nano_usd,
    provider_cost_nano_usd = sums.provider_cost_nano_usd + excluded.provider_cost_nano_usd,
    unknown_cost_requests = sums.unknown_cost_requests + excluded.unknown_cost_requests;
  return null;
end $$;
