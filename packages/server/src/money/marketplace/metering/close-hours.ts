import { sql } from "kysely";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { lockOrganizationsForKeyShare } from "../../../platform/core/db/locks.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import { lockCredits } from "../../credits/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { countUnused } from "./draw-decision.ts";
import type { MeteringRepository, UsageRow } from "./metering.repository.ts";
import { toDrawPosting } from "./metering-postings.ts";

type Deps = { metering: MeteringRepository; ledger: Ledger; clock: Clock; ids: Ids };

/** How long an hour stays open after its end: the clocks of several servers may differ by as much. */
const CLOSE_AFTER_MS = 5 * MINUTE_MS;
const CLOSED_PER_RUN = 100;

/**
 * Closes the hours that are over, and at once those of purchases that are over, since marketplaces take their last usage only
 * for a short time. What is drawn after that goes to the next hour.
 */
export async function closeHours(deps: Deps & { db: Database }): Promise<void> {
  for (const row of await listToClose(deps)) await deps.db.transaction().execute((trx) => closeHour(deps, row, trx));
}

/** Closes the open hours of an organization that is about to be deleted, while what it did not use can still be returned. */
export async function closeHoursOf(deps: Deps, organizationId: string, trx: Database): Promise<void> {
  for (const row of await deps.metering.listOpen(organizationId, trx)) await closeHour(deps, row, trx);
}

async function listToClose({ db, clock }: Pick<Deps, "clock"> & { db: Database }): Promise<UsageRow[]> {
  const endedBefore = new Date(clock.now().getTime() - HOUR_MS - CLOSE_AFTER_MS);
  return db
    .selectFrom("metered_usage")
    .selectAll()
    .where("status", "=", "open")
    .where((eb) =>
      eb.or([
        eb("hour", "<=", endedBefore),
        sql<boolean>`not exists (
          select from marketplace_accounts a
          where a.provider = metered_usage.provider and a.reference = metered_usage.reference
            and a.organization_id = metered_usage.organization_id and a.status = 'active' and a.ends_at is null)`,
      ]),
    )
    .orderBy("hour")
    .orderBy("id")
    .limit(CLOSED_PER_RUN)
    .execute();
}

/** Returns the credits of an hour that nobody used, in whole units, and makes the rest due. */
async function closeHour(
  { metering, ledger, clock, ids }: Deps,
  { id, organization_id: organizationId }: UsageRow,
  trx: Database,
): Promise<void> {
  await lockOrganizationsForKeyShare([organizationId], trx);
  await metering.lockLimit(organizationId, trx);
  const row = await trx
    .selectFrom("metered_usage")
    .selectAll()
    .where("id", "=", id)
    .where("status", "=", "open")
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const { available } = await lockCredits(organizationId, trx);
  const unitPriceNano = BigInt(row.unit_price_nano_usd);
  const returned = countUnused(row, available);
  const units = row.units - Number(returned);
  if (units === 0) await trx.deleteFrom("metered_usage").where("id", "=", id).execute();
  else
    await trx
      .updateTable("metered_usage")
      .set({ units, status: "due", next_attempt_at: clock.now() })
      .where("id", "=", id)
      .execute();
  if (returned > 0n)
    await ledger.post(toDrawPosting(row, -returned * unitPriceNano, `metering:${ids.next("mus")}`), trx);
}
