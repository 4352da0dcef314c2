import { centsToNano } from "../core/money.ts";
import { createBillingRepository } from "../modules/billing/billing.repository.ts";
import { createBilling } from "../modules/billing/billing.ts";
import { createCreditsRepository } from "../modules/credits/credits.repository.ts";
import { createCredits } from "../modules/credits/credits.ts";
import { createReservations } from "../modules/credits/reservations.ts";
import { createLedger } from "../modules/ledger/ledger.ts";
import { createMarketplace } from "../modules/marketplace/marketplace.usecases.ts";
import { testMarketplaceDriver } from "../modules/marketplace/test-marketplace-driver.ts";
import { createPlanAdministration } from "../modules/plans/plans.usecases.ts";
import { createPriceBook } from "../modules/prices/price-book.ts";
import { createPricesRepository } from "../modules/prices/prices.repository.ts";
import { createPayouts } from "../modules/referrals/payouts.usecases.ts";
import { createRewards } from "../modules/referrals/rewards.usecases.ts";
import type { Base } from "./base.ts";

/** The money area. */
export type Money = ReturnType<typeof createMoneyArea>;

/** Creates prices, billing, credits, ledger and payouts. */
export function createMoneyArea(base: Base) {
  const { db, settings, log, clock, ids, secret, audit, shared, planCache, databaseNow } = base;
  const ledger = createLedger(db, clock, ids);
  const credits = createCredits(db, ledger);
  const terms = {
    creditsNano: centsToNano(Math.round(settings.referrals.creditsUsd * 100)),
    percent: settings.referrals.percent,
  };
  const rewards = createRewards({ db, ledger, credits, clock, ids, terms });
  const billing = createBilling({
    ...shared,
    ledger,
    credits,
    ids,
    databaseNow,
    log,
    settings: settings.billing,
    secret,
    invoiceHooks: rewards.invoiceHooks,
    invalidatePlan: planCache.invalidate,
  });
  const pricesRepository = createPricesRepository(db);
  return {
    ledger,
    credits,
    creditsRepository: createCreditsRepository(db),
    reservations: createReservations(db, clock),
    rewards,
    billing,
    pricesRepository,
    priceBook: createPriceBook(pricesRepository, clock),
    planAdministration: createPlanAdministration({ db, audit, invalidatePlans: planCache.invalidateAll }),
    payouts: createPayouts({ db, ledger, audit, clock, ids, terms, isTest: billing.isTest }),
    marketplace: createMarketplace({
      db,
      billingRepository: createBillingRepository(db),
      driver: settings.marketplace.mode === "test" ? testMarketplaceDriver : null,
      grantPlan: billing.grantPlan,
      audit,
      clock,
      ids,
      invalidatePlan: planCache.invalidate,
    }),
  };
}
