import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { lockOrganizationsForKeyShare } from "../../../platform/core/db/locks.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { centsToNano } from "../../../platform/core/money.ts";
import type { MarketplaceProvider } from "../../billing/index.ts";
import type { Credits } from "../../credits/index.ts";
import { sumUnused } from "./draw-decision.ts";
import type { MeteredMarketplaces, MeteringRepository, MeteringTerms, MeterRow } from "./metering.repository.ts";

type Deps = {
  db: Database;
  credits: Pick<Credits, "balance">;
  metering: MeteringRepository;
  marketplaces: MeteredMarketplaces;
  /** The plan of each offer that has not the id of its plan. */
  planIds: Readonly<Record<string, string>>;
  audit: Audit;
  clock: Clock;
};

/**
 * What an organization may use beyond its credits: the terms, its limit in cents, and for this month what was drawn and, of that,
 * used, in nano-USD.
 */
export type MeteringState = {
  terms: MeteringTerms | null;
  limitCents: number | null;
  drawnNano: bigint;
  usedNano: bigint;
};
/** How usage of an offer is counted. The price of a unit is in nano-USD. */
export type MeterValues = { dimension: string; unitPriceNano: bigint; maxMonthlyCents: number };

/** What organizations and admins do about metered usage. */
export function createMetering(deps: Deps) {
  return bind(deps, { read: readMetering, setLimit, setMeter, removeMeter });
}
export type MeteringUseCases = ReturnType<typeof createMetering>;

async function readMetering(
  { db, credits, metering, marketplaces, clock }: Deps,
  organizationId: string,
  trx: Database = db,
): Promise<MeteringState> {
  const terms = (await metering.findTerms(organizationId, marketplaces, trx)) ?? null;
  const limitCents = await metering.findLimit(organizationId, trx);
  const drawnNano = await metering.sumUsage(organizationId, clock.now(), trx);
  const open = await metering.listOpen(organizationId, trx);
  const { available } = await credits.balance(organizationId, trx);
  return { terms, limitCents, drawnNano, usedNano: drawnNano - sumUnused(open, available) };
}

/**
 * Sets how much an organization may use in a month, in cents, or switches metered usage off with null. Throws
 * `marketplace.not_metered` where its plan has none, and `invalid_request` for more than the operator allows.
 */
async function setLimit(deps: Deps, actor: SignedInActor, limitCents: number | null): Promise<MeteringState> {
  const { db, audit, clock } = deps;
  const { organizationId } = actor;
  return db.transaction().execute(async (trx) => {
    await lockOrganizationsForKeyShare([organizationId], trx);
    const { terms, limitCents: before } = await readMetering(deps, organizationId, trx);
    if (limitCents !== null && !terms) throw errors.marketplace.notMetered();
    if (limitCents !== null && terms && limitCents > terms.max_monthly_cents)
      throw errors.invalidRequest(`monthly_limit_usd_cents must be at most ${terms.max_monthly_cents}.`, {
        param: "monthly_limit_usd_cents",
      });
    if (limitCents !== null && terms && centsToNano(limitCents) < BigInt(terms.unit_price_nano_usd))
      throw errors.invalidRequest("monthly_limit_usd_cents must be at least the price of a unit.", {
        param: "monthly_limit_usd_cents",
      });
    const values = { monthly_limit_cents: limitCents, updated_at: clock.now() };
    await trx
      .insertInto("metering_limits")
      .values({ organization_id: organizationId, ...values })
      .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(values))
      .execute();
    const details = { monthly_limit_cents: limitCents, monthly_limit_cents_before: before };
    await audit.record({ actor, action: "marketplace.limit_metering", target: organizationId, details }, trx);
    return readMetering(deps, organizationId, trx);
  });
}

/** Meters usage of an offer from now on, or changes how. Throws `invalid_request` for one that is no plan. */
async function setMeter(
  { db, planIds, audit, clock }: Deps,
  actor: SignedInActor,
  provider: MarketplaceProvider,
  offer: string,
  { dimension, unitPriceNano, maxMonthlyCents }: MeterValues,
): Promise<MeterRow> {
  if (unitPriceNano > centsToNano(maxMonthlyCents))
    throw errors.invalidRequest(
      "unit_price_usd must be at most max_monthly_usd_cents: otherwise no unit could be used.",
      {
        param: "unit_price_usd",
      },
    );
  const values = { dimension, unit_price_nano_usd: String(unitPriceNano), max_monthly_cents: maxMonthlyCents };
  return db.transaction().execute(async (trx) => {
    const planId = planIds[offer] ?? offer;
    const plan = await trx.selectFrom("plans").select("id").where("id", "=", planId).executeTakeFirst();
    if (!plan)
      throw errors.invalidRequest(
        `offer is not valid: ${offer} is no plan, and FEATHER_MARKETPLACE_PLANS names none for it.`,
        {
          param: "offer",
        },
      );
    const saved = { ...values, updated_at: clock.now() };
    const row = await trx
      .insertInto("marketplace_meters")
      .values({ provider, offer, ...saved })
      .onConflict((conflict) => conflict.columns(["provider", "offer"]).doUpdateSet(saved))
      .returningAll()
      .executeTakeFirstOrThrow();
    const details = { provider, ...values };
    await audit.record({ actor, action: "marketplace.set_meter", target: offer, details }, trx);
    return row;
  });
}

/** Stops metering usage of an offer. Throws `marketplace.meter_not_found`. */
async function removeMeter(
  { db, audit }: Deps,
  actor: SignedInActor,
  provider: MarketplaceProvider,
  offer: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const removed = await trx
      .deleteFrom("marketplace_meters")
      .where("provider", "=", provider)
      .where("offer", "=", offer)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw errors.marketplace.meterNotFound();
    await audit.record({ actor, action: "marketplace.remove_meter", target: offer, details: { provider } }, trx);
  });
}
