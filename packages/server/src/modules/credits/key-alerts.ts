import { sql } from "kysely";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { LOCKS } from "../../core/db/locks.ts";
import type { Events } from "../../core/events.ts";
import { nextLimitReset } from "../budgets/index.ts";

type Deps = { events: Events; clock: Clock };
type LimitReset = "none" | "day" | "week" | "month";
/** A key of which more is to be told than was told in this period, with what it has spent in the period. */
type UntoldKey = {
  id: string;
  organization_id: string;
  name: string;
  prefix: string;
  last4: string;
  spend_limit_nano_usd: string;
  limit_reset: LimitReset;
  period_start: string;
  spent_nano_usd: string;
  is_warned: boolean;
};

/** The share of its limit at which a key comes near to it; the database knows it too (`reserve_credits`). */
const WARNING_PERCENT = 80;

/**
 * Tells webhooks which spend limits of API keys these keys came near to, or reached, by charges, once in each period. Needs
 * the transaction that charges, which holds the lock of settlement.
 */
export async function recordKeySpending(deps: Deps, keyIds: readonly string[], trx: Database): Promise<void> {
  if (keyIds.length === 0) return;
  for (const key of await findUntold(deps, keyIds, trx))
    await tell(deps, key, BigInt(key.spent_nano_usd) >= BigInt(key.spend_limit_nano_usd), trx);
}

/** Tells that the limit of an API key is reached because it refused a call, unless it was told in this period already. */
export async function recordKeyRefusal(deps: Deps, keyId: string, db: Database): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.settlement})`.execute(trx);
    for (const key of await findUntold(deps, [keyId], trx)) await tell(deps, key, true, trx);
  });
}

/** Keys whose limit is nearly reached and that was not told, or of which it was not told that it is reached. */
async function findUntold({ clock }: Deps, keyIds: readonly string[], trx: Database): Promise<UntoldKey[]> {
  const now = clock.now();
  const { rows } = await sql<UntoldKey>`
    select k.id, k.organization_id, k.name, k.prefix, k.last4, k.spend_limit_nano_usd::text, k.limit_reset,
      key_period(k.limit_reset, ${now})::text as period_start, spent.sum::text as spent_nano_usd,
      told.api_key_id is not null as is_warned
    from api_keys k
    cross join lateral (
      select coalesce(sum(spent_nano_usd), 0) as sum from api_key_spend
      where api_key_id = k.id and day >= key_period(k.limit_reset, ${now})
    ) as spent
    left join api_key_alerts told on told.api_key_id = k.id and told.spend_limit_nano_usd = k.spend_limit_nano_usd
      and told.limit_reset = k.limit_reset and told.period_start = key_period(k.limit_reset, ${now})
    where k.id = any(${[...keyIds]}) and k.deleted_at is null
      and spent.sum * 100 >= k.spend_limit_nano_usd * ${WARNING_PERCENT}
      and told.is_reached is distinct from true
    order by k.id`.execute(trx);
  return rows;
}

async function tell({ events, clock }: Deps, key: UntoldKey, isReached: boolean, trx: Database): Promise<void> {
  const { organization_id, period_start, is_warned, ...shown } = key;
  if (is_warned && !isReached) return;
  const { spend_limit_nano_usd, limit_reset } = shown;
  await sql`
    insert into api_key_alerts (api_key_id, spend_limit_nano_usd, limit_reset, period_start, is_reached)
    values (${shown.id}, ${spend_limit_nano_usd}, ${limit_reset}, ${period_start}::date, ${isReached})
    on conflict (api_key_id) do update set spend_limit_nano_usd = excluded.spend_limit_nano_usd,
      limit_reset = excluded.limit_reset, period_start = excluded.period_start, is_reached = excluded.is_reached`.execute(
    trx,
  );
  const data = { ...shown, resets_at: nextLimitReset(limit_reset, clock.now())?.toISOString() ?? null };
  if (!is_warned) await events.record(organization_id, { type: "api_key.limit_warning", data }, trx);
  if (isReached) await events.record(organization_id, { type: "api_key.limit_reached", data }, trx);
}
