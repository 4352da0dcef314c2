import { sql } from "kysely";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { LOCKS } from "../../platform/core/db/locks.ts";
import type { Events } from "../../platform/core/events.ts";
import { nextLimitReset } from "../budgets/index.ts";

type Deps = { events: Events; clock: Clock };
type LimitReset = "none" | "day" | "week" | "month";
/**
 * A key that is near or at its spend limit, without a recorded event of that in this period, and the amount that it has
 * spent in this period.
 */
type DueAlert = {
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

/** The percentage of its limit at which a key counts as near it. `reserve_credits` in the database has the same number. */
const WARNING_PERCENT = 80;

/**
 * Records webhook events for those of these keys that charges brought near or to their spend limit, once per period. Needs
 * the transaction that writes the charges, which holds the lock of settlement.
 */
export async function recordKeySpending(deps: Deps, keyIds: readonly string[], trx: Database): Promise<void> {
  if (keyIds.length === 0) return;
  for (const key of await listDueAlerts(deps, keyIds, trx)) await recordAlert(deps, key, toLevel(key), trx);
}

/** Records the webhook event that an API key's limit refused a call, unless it is recorded for this period already. */
export async function recordKeyRefusal(deps: Deps, keyId: string, db: Database): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.settlement})`.execute(trx);
    for (const key of await listDueAlerts(deps, [keyId], trx)) await recordAlert(deps, key, "refused", trx);
  });
}

/** Returns those of the keys that are near or at their limit and have no recorded event of that in this period. */
async function listDueAlerts({ clock }: Deps, keyIds: readonly string[], trx: Database): Promise<DueAlert[]> {
  const now = clock.now();
  const { rows } = await sql<DueAlert>`
    select k.id, k.organization_id, k.name, k.prefix, k.last4, k.spend_limit_nano_usd::text, k.limit_reset,
      key_period(k.limit_reset, ${now})::text as period_start, spent.sum::text as spent_nano_usd,
      alerts.api_key_id is not null as is_warned
    from api_keys k
    cross join lateral (
      select coalesce(sum(spent_nano_usd), 0) as sum from api_key_spend
      where api_key_id = k.id and day >= key_period(k.limit_reset, ${now})
    ) as spent
    left join api_key_alerts alerts on alerts.api_key_id = k.id and alerts.spend_limit_nano_usd = k.spend_limit_nano_usd
      and alerts.limit_reset = k.limit_reset and alerts.period_start = key_period(k.limit_reset, ${now})
    where k.id = any(${[...keyIds]}) and k.deleted_at is null
      and spent.sum * 100 >= k.spend_limit_nano_usd * ${WARNING_PERCENT}
      and alerts.is_reached is distinct from true
    order by k.id`.execute(trx);
  return rows;
}

type AlertLevel = "warning" | "reached" | "refused";

function toLevel({ spent_nano_usd, spend_limit_nano_usd }: DueAlert): AlertLevel {
  return BigInt(spent_nano_usd) >= BigInt(spend_limit_nano_usd) ? "reached" : "warning";
}

async function recordAlert({ events, clock }: Deps, key: DueAlert, level: AlertLevel, trx: Database): Promise<void> {
  const { organization_id, period_start, is_warned, ...shown } = key;
  const isReached = level !== "warning";
  if (is_warned && !isReached) return;
  const { spend_limit_nano_usd, limit_reset } = shown;
  await sql`
    insert into api_key_alerts (api_key_id, spend_limit_nano_usd, limit_reset, period_start, is_reached)
    values (${shown.id}, ${spend_limit_nano_usd}, ${limit_reset}, ${period_start}::date, ${isReached})
    on conflict (api_key_id) do update set spend_limit_nano_usd = excluded.spend_limit_nano_usd,
      limit_reset = excluded.limit_reset, period_start = excluded.period_start, is_reached = excluded.is_reached`.execute(
    trx,
  );
  const resets_at = nextLimitReset(limit_reset, clock.now())?.toISOString() ?? null;
  const data = { ...shown, resets_at, refused_call: level === "refused" };
  if (!is_warned) await events.record(organization_id, { type: "api_key.limit_warning", data }, trx);
  if (isReached) await events.record(organization_id, { type: "api_key.limit_reached", data }, trx);
}
