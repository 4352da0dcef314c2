import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { lockOrganizationsForKeyShare } from "../../../platform/core/db/locks.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { centsToNano } from "../../../platform/core/money.ts";
import { type DrawResult, lockCredits } from "../../credits/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { decideDraw } from "./draw-decision.ts";
import type { MeteredMarketplaces, MeteringRepository, MeteringTerms, OpenHour } from "./metering.repository.ts";
import { toDrawPosting } from "./metering-postings.ts";

type Deps = {
  metering: MeteringRepository;
  marketplaces: MeteredMarketplaces;
  ledger: Ledger;
  clock: Clock;
  ids: Ids;
};

const NOT_METERED: DrawResult = { isDrawn: false, reason: null };
const PAUSED = "Metered usage is paused, since the marketplace refused some of it: ask whoever runs this server.";
const LIMIT_REACHED = "What is left of this month's limit of metered usage does not cover it either.";

/**
 * Draws credits beyond those of an organization, so that `neededNano` are available, in nano-USD. The marketplace at which its
 * plan was bought gets a report of them when the hour is over. The credits stay locked until `trx` ends.
 */
export async function drawMeteredCredits(
  deps: Deps,
  organizationId: string,
  neededNano: bigint,
  trx: Database,
): Promise<DrawResult> {
  const { metering, marketplaces, ledger, clock, ids } = deps;
  // Most organizations that run out of credits have no metered usage, so this is asked before anything is locked.
  if ((await metering.findLimit(organizationId, trx)) === null) return NOT_METERED;
  await lockOrganizationsForKeyShare([organizationId], trx);
  const limitCents = await metering.lockLimit(organizationId, trx);
  const terms = await metering.findTerms(organizationId, marketplaces, trx);
  if (limitCents === null || !terms) return NOT_METERED;
  if (terms.is_paused) return { isDrawn: false, reason: PAUSED };
  const now = clock.now();
  const open = await metering.lockOpenHour(terms, organizationId, now, trx);
  const { available } = await lockCredits(organizationId, trx);
  const missingNano = neededNano - available;
  if (missingNano <= 0n) return { isDrawn: true };
  const limitNano = centsToNano(Math.min(limitCents, terms.max_monthly_cents));
  const leftNano = limitNano - (await metering.sumUsage(organizationId, now, trx));
  const unitPriceNano = BigInt(terms.unit_price_nano_usd);
  const units = decideDraw({ missingNano, unitPriceNano, leftNano });
  if (units === null) return { isDrawn: false, reason: LIMIT_REACHED };
  await addUnits(deps, { terms, organizationId, open, units: Number(units), now }, trx);
  const usage = { organization_id: organizationId, provider: terms.provider };
  await ledger.post(toDrawPosting(usage, units * unitPriceNano, `metering:${ids.next("mus")}`), trx);
  return { isDrawn: true };
}

type Addition = { terms: MeteringTerms; organizationId: string; open: OpenHour; units: number; now: Date };

/** Adds units to the hour that is open, or begins it. */
async function addUnits(
  { ids }: Deps,
  { terms, organizationId, open: { row, hour }, units, now }: Addition,
  trx: Database,
): Promise<void> {
  const at = now > hour ? now : hour;
  if (row) {
    const values = { units: row.units + units, ended_at: at };
    await trx.updateTable("metered_usage").set(values).where("id", "=", row.id).execute();
    return;
  }
  const { provider, reference, usage_id, offer, dimension, unit_price_nano_usd, is_test } = terms;
  await trx
    .insertInto("metered_usage")
    .values({
      ...{ id: ids.next("mus"), organization_id: organizationId, provider, reference, usage_id, offer, dimension },
      ...{ unit_price_nano_usd, is_test, hour, started_at: at, ended_at: at, units, status: "open" },
    })
    .execute();
}
