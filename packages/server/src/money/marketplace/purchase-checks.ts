import type { Logger } from "pino";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { hasCode } from "../../platform/core/errors/index.ts";
import { HOUR_MS } from "../../platform/core/time.ts";
import type { BillingRepository, MarketplaceProvider } from "../billing/index.ts";
import type { MarketplaceDriver, Purchase } from "./marketplace-driver.ts";
import type { PurchaseChanges } from "./purchase-changes.ts";
import type { PurchaseRow, PurchasesRepository } from "./purchases.repository.ts";

/** The marketplaces at which plans are sold. */
export type MarketplaceDrivers = Readonly<Partial<Record<MarketplaceProvider, MarketplaceDriver>>>;

type Deps = {
  db: Database;
  drivers: MarketplaceDrivers;
  purchases: PurchasesRepository;
  changes: PurchaseChanges;
  billingRepository: BillingRepository;
  clock: Clock;
  log: Pick<Logger, "error">;
  invalidatePlan(organizationId: string): void;
};

/** A marketplace is asked about a purchase again when its last answer is this old. */
const CHECK_AFTER_MS = HOUR_MS;
const CHECKS_PER_RUN = 50;

/** Asks marketplaces about purchases, and ends those whose grace is over. */
export function createPurchaseChecks(deps: Deps) {
  return bind(deps, { settle: settlePurchase, run: runChecks });
}
export type PurchaseChecks = ReturnType<typeof createPurchaseChecks>;

/**
 * Asks the marketplace about a purchase, confirms what it waits for, and applies its answer. Returns the purchase
 * afterwards; undefined when its organization was deleted. A purchase that was canceled here stays so unless `revives`.
 * Throws `marketplace.unavailable`.
 */
async function settlePurchase(deps: Deps, row: PurchaseRow, revives = false): Promise<PurchaseRow | undefined> {
  const driver = deps.drivers[row.provider as MarketplaceProvider];
  if (!driver || driver.isTest || row.is_test) return row;
  const purchase = await driver.find(row.reference);
  return applyLocked(deps, row, purchase && (await confirmIfKnown(deps, driver, purchase)), revives);
}

/** Confirms what the marketplace waits for, unless nobody here knows what was bought. Returns the purchase afterwards. */
async function confirmIfKnown(deps: Deps, driver: MarketplaceDriver, purchase: Purchase): Promise<Purchase | null> {
  if (purchase.awaits === null || !(await deps.changes.findPlan(purchase.items, deps.db))) return purchase;
  await driver.confirm(purchase);
  return driver.find(purchase.reference);
}

/** Locks the billing account and the purchase, in the same order as everywhere else, and applies the marketplace's answer. */
async function applyLocked(
  { db, purchases, changes, billingRepository, invalidatePlan }: Deps,
  { id, organization_id: organizationId }: PurchaseRow,
  purchase: Purchase | null,
  revives: boolean,
): Promise<PurchaseRow | undefined> {
  const updated = await db.transaction().execute(async (trx) => {
    if (!(await billingRepository.keepExisting(organizationId, trx))) return undefined;
    await billingRepository.lockState(organizationId, trx);
    const row = await purchases.lock(id, trx);
    return row && (row.status !== "canceled" || revives) ? changes.apply(row, purchase, trx) : row;
  });
  invalidatePlan(organizationId);
  return updated;
}

async function finishLocked(
  { db, purchases, changes, billingRepository, clock, invalidatePlan }: Deps,
  { id, organization_id: organizationId }: PurchaseRow,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await billingRepository.keepExisting(organizationId, trx))) return;
    await billingRepository.lockState(organizationId, trx);
    const row = await purchases.lock(id, trx);
    if (row && row.ends_at !== null && row.ends_at <= clock.now()) await changes.finish(row, trx);
  });
  invalidatePlan(organizationId);
}

/** Ends the plans whose grace is over, and asks about the purchases whose last answer is an hour old. */
async function runChecks(deps: Deps): Promise<void> {
  const { drivers, purchases, clock, log } = deps;
  const now = clock.now();
  for (const row of await purchases.listOver(now)) await finishLocked(deps, row);
  const providers = Object.keys(drivers) as MarketplaceProvider[];
  if (providers.length === 0) return;
  const before = new Date(now.getTime() - CHECK_AFTER_MS);
  for (const row of await purchases.listToCheck(providers, before, CHECKS_PER_RUN)) {
    try {
      await settlePurchase(deps, row);
    } catch (error) {
      log.error({ err: error, purchase_id: row.id }, "a purchase at a marketplace could not be settled");
      // Moves it to the end, so that one that always fails does not keep the others from being asked about.
      await deps.db.updateTable("marketplace_accounts").set({ checked_at: now }).where("id", "=", row.id).execute();
      if (hasCode(error, "marketplace.unavailable")) return;
    }
  }
}
