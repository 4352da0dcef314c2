import type { Outgoing } from "../platform/core/network/outgoing.ts";
import type { Base } from "../platform/index.ts";
import type { Mail } from "../platform/mail/index.ts";
import { createAccountingModule } from "./accounting/index.ts";
import { createBillingModule } from "./billing/index.ts";
import { createBudgetsModule } from "./budgets/index.ts";
import { createCreditsModule } from "./credits/index.ts";
import { createCurrenciesModule } from "./currencies/index.ts";
import { createLedger } from "./ledger/index.ts";
import { createMarketplaceModule, createMeteredCredits } from "./marketplace/index.ts";
import { createPlansModule } from "./plans/index.ts";
import { createPricesModule } from "./prices/index.ts";
import { createReferralsModule } from "./referrals/index.ts";
import { createRevenueModule } from "./revenue/index.ts";

type BillingPorts = Parameters<typeof createBillingModule>[0];
type Ports = Base &
  Pick<BillingPorts, "cardFingerprintKey" | "databaseNow" | "moduleService"> & {
    mail: Mail;
    outgoing: Outgoing;
    settings: {
      billing: BillingPorts["settings"] & { trials: boolean };
      referrals: Parameters<typeof createReferralsModule>[0]["settings"];
      marketplace: Parameters<typeof createMarketplaceModule>[0]["settings"];
    };
  };

/** Creates plans, prices, credits and budgets, and what is bought and paid. */
export function createMoney({ settings, cardFingerprintKey, databaseNow, moduleService, ...base }: Ports) {
  const { db, clock, ids } = base;
  const plans = createPlansModule({ ...base, offersTrials: settings.billing.trials });
  const currencies = createCurrenciesModule(base);
  const ledger = createLedger(db, clock, ids);
  const prices = createPricesModule(base);
  const budgets = createBudgetsModule(base);
  const meteredCredits = createMeteredCredits({ ...base, ledger, settings: settings.marketplace });
  const credits = createCreditsModule({ ...base, ...budgets.api, ...meteredCredits, ledger });
  const shared = { ...base, ...plans.api, ...credits.api, ledger };
  // No payment driver pays commissions out, also none that moves money when plans are bought.
  const referrals = createReferralsModule({ ...shared, settings: settings.referrals, isTest: true });
  const { invoiceHooks } = referrals.api;
  const billing = createBillingModule({
    ...shared,
    settings: settings.billing,
    invoiceHooks,
    returnUnused: meteredCredits.returnUnused,
    cardFingerprintKey,
    databaseNow,
    moduleService,
  });
  const marketplace = createMarketplaceModule({ ...shared, billing: billing.api, settings: settings.marketplace });
  const revenue = createRevenueModule({ db, clock, isTest: billing.api.isTest, ...marketplace.api });
  const accounting = createAccountingModule({ db });
  return {
    modules: [currencies, plans, prices, budgets, credits, referrals, billing, marketplace, revenue, accounting],
    api: {
      plans: plans.api,
      ledger,
      prices: prices.api,
      credits: credits.api,
      referrals: referrals.api,
      billing: billing.api,
    },
  };
}

/** Plans, prices, credits and billing as other layers use them. */
export type Money = ReturnType<typeof createMoney>["api"];
