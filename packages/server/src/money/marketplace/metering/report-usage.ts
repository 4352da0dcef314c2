import { sql } from "kysely";
import type { Logger } from "pino";
import type { Audit } from "../../../platform/core/audit.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { MarketplaceProvider } from "../../billing/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { MAX_REPORTS, type MarketplaceDriver, type UsageOutcome, type UsageReport } from "../marketplace-driver.ts";
import type { MarketplaceDrivers } from "../purchase-checks.ts";
import type { UsageRow } from "./metering.repository.ts";
import { toWriteOffPosting } from "./metering-postings.ts";

type Deps = {
  db: Database;
  drivers: MarketplaceDrivers;
  ledger: Ledger;
  audit: Audit;
  clock: Clock;
  log: Pick<Logger, "error">;
};

/** After an attempt without a final answer, usage is sent again after this time, which doubles with each attempt. */
const FIRST_RETRY_S = 300;
const LAST_RETRY_S = 1_800;
const MAX_DOUBLINGS = 8;
/** Batches for a marketplace in one run, so that a run ends. */
const BATCHES_PER_RUN = 20;

/**
 * Reports usage that is due to the marketplaces. A row counts as sent before it is sent, and is sent again under the same id
 * where no answer settles it; marketplaces count it once. Several servers may do this at the same time.
 */
export async function reportUsage(deps: Deps): Promise<void> {
  for (const [provider, driver] of Object.entries(deps.drivers) as [MarketplaceProvider, MarketplaceDriver][]) {
    try {
      for (let batch = 0; batch < BATCHES_PER_RUN; batch++)
        if ((await reportBatch(deps, provider, driver)) < MAX_REPORTS) break;
    } catch (error) {
      // The others get their reports nevertheless. What was sent is sent again later.
      deps.log.error({ err: error, provider }, "metered usage could not be reported to a marketplace");
    }
  }
}

/** Reports at most `MAX_REPORTS` rows. Returns how many. */
async function reportBatch(deps: Deps, provider: MarketplaceProvider, driver: MarketplaceDriver): Promise<number> {
  const now = deps.clock.now();
  const claimed = await claimDue(deps.db, provider, driver.isTest, now);
  const late = claimed.filter((row) => driver.isTooLate({ startedAt: row.started_at }, now));
  for (const row of late) await settle(deps, row, { status: "refused", reason: describeLate(row) });
  const rows = claimed.filter((row) => !late.includes(row));
  const outcomes = rows.length === 0 ? [] : await driver.meter(rows.map(toReport));
  for (const [at, row] of rows.entries()) {
    const outcome = outcomes[at];
    if (outcome) await settle(deps, row, outcome);
  }
  return claimed.length;
}

/** Marks rows as sent that are due, or whose last attempt is long enough ago, and returns them. */
async function claimDue(db: Database, provider: string, isTest: boolean, now: Date): Promise<UsageRow[]> {
  const due = db
    .selectFrom("metered_usage")
    .select("id")
    .where("provider", "=", provider)
    .where("is_test", "=", isTest)
    .where("status", "in", ["due", "sent"])
    .where("next_attempt_at", "<=", now)
    .orderBy("next_attempt_at")
    .orderBy("id")
    .limit(MAX_REPORTS)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable("metered_usage")
    .set((eb) => ({
      status: "sent",
      attempts: eb("attempts", "+", 1),
      next_attempt_at: sql<Date>`${now}::timestamptz
        + make_interval(secs => least(${LAST_RETRY_S}, ${FIRST_RETRY_S} * power(2, least(attempts, ${MAX_DOUBLINGS}))))`,
    }))
    .where("id", "in", due)
    .returningAll()
    .execute();
}

function describeLate({ attempts, reason }: UsageRow): string {
  if (reason !== null) return `Too late after several attempts. ${reason}`;
  return attempts > 1
    ? "Too late: it was sent and nothing was answered, so the marketplace may bill it nevertheless."
    : "Too late: it was not sent in the time in which the marketplace takes usage.";
}

function toReport(row: UsageRow): UsageReport {
  const { id, reference, usage_id: usageId, offer, dimension, units, started_at, ended_at } = row;
  return { id, reference, usageId, offer, dimension, units, startedAt: started_at, endedAt: ended_at };
}

/** Stores what the marketplace said. What it refused is written off in the same transaction. */
async function settle(deps: Deps, { id }: UsageRow, outcome: UsageOutcome): Promise<void> {
  const { db, ledger, audit, clock, log } = deps;
  const isFinal = outcome.status !== "later";
  const reason = outcome.status === "accepted" ? null : outcome.reason;
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("metered_usage")
      .set({ reason, ...(isFinal && { status: outcome.status, settled_at: clock.now(), next_attempt_at: null }) })
      .where("id", "=", id)
      .where("status", "=", "sent")
      .returningAll()
      .executeTakeFirst();
    if (!row || outcome.status !== "refused") return;
    const { organization_id: organizationId, provider, units } = row;
    const amountNano = BigInt(units) * BigInt(row.unit_price_nano_usd);
    await ledger.post(toWriteOffPosting(row, amountNano), trx);
    const details = { provider, reason, amount_nano_usd: String(amountNano) };
    await audit.record({ userId: null, organizationId, action: "marketplace.refuse_usage", target: id, details }, trx);
    log.error({ usage_id: id, provider, reason }, "a marketplace refused metered usage");
  });
}
