import type { Logger } from "pino";
import type { Settings } from "../../config/settings.ts";
import type { Database } from "../../db/connect.ts";
import type { Job } from "../../jobs/jobs.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit } from "../audit/audit.ts";
import type { Credits } from "../credits/credits.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Mail } from "../mail/mail.ts";
import { paymentsOff } from "./billing.errors.ts";
import { createBillingRepository } from "./billing.repository.ts";
import { createBookkeeping, type InvoiceEvents } from "./bookkeeping.ts";
import { createCheckout } from "./checkout.ts";
import { createClockGuard, type DatabaseNow } from "./clock-guard.ts";
import { createCollection } from "./collection.ts";
import { createCouponAdministration } from "./coupons.admin.ts";
import { createCoupons } from "./coupons.ts";
import { createEndings } from "./endings.ts";
import { createHeldRenewals } from "./held-renewals.ts";
import { createInvoiceSearch } from "./invoices.admin.ts";
import { createInvoicesRepository } from "./invoices.repository.ts";
import { noPayments } from "./no-payments.ts";
import { createNotices } from "./notices.ts";
import { createPaymentDesk, type PaymentDesk } from "./payment-desk.ts";
import { createPaymentMethods } from "./payment-methods.ts";
import { createGrantPlan } from "./plan-grants.ts";
import { createPortal } from "./portal.ts";
import { createPriceChanges } from "./price-changes.ts";
import { createPricing } from "./pricing.ts";
import { createPurchases } from "./purchases.ts";
import { createRefunds } from "./refunds.ts";
import { createRenewals } from "./renewals.ts";
import { createSettlements } from "./settlements.ts";
import { createSubscriptionCoupons } from "./subscription-coupons.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { createTestDriver } from "./test-driver.ts";
import { createTestPages } from "./test-pages.ts";
import { createTopUpEffects, createTopUps } from "./top-ups.ts";
import { createTrials } from "./trials.ts";

type Deps = {
  db: Database;
  ledger: Ledger;
  credits: Credits;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  databaseNow: DatabaseNow;
  log: Logger;
  settings: Settings;
  secret: Uint8Array;
  publicUrl: string;
  productName: string;
  /** What other modules do when an invoice is paid or refunded. */
  events: InvoiceEvents;
  forgetPlan(organizationId: string): void;
};

const MINUTE = 60;
const HOUR = 3_600;

/**
 * Wires the billing module. While payments are switched off, every call of the payment driver throws `payments_off`.
 */
export function createBilling(deps: Deps) {
  const { db, clock, ids, audit, productName, settings } = deps;
  const pageUrl = (token: string) => `${deps.publicUrl}/api/test-payments/${token}`;
  const testDriver = settings.FEATHER_PAYMENTS === "test" ? createTestDriver({ ...deps, pageUrl }) : null;
  const driver = testDriver?.driver ?? noPayments;
  const isSelling = testDriver !== null;
  const refuseWhileOff = () => {
    if (!isSelling) throw paymentsOff();
  };
  const taxPercent = settings.FEATHER_TAX_PERCENT;
  const { isTest } = driver;
  const billing = createBillingRepository(db);
  const invoices = createInvoicesRepository(db, billing, clock, ids);
  const coupons = createCoupons(db, clock);
  const bookkeeping = createBookkeeping({ ...deps, billing });
  const common = { ...deps, billing, invoices, coupons, bookkeeping, driver, taxPercent, isTest, refuseWhileOff };

  const endings = createEndings({ ...common, closeBooks: bookkeeping.close });
  const trials = createTrials({ db, billing, clock, enabled: settings.FEATHER_TRIALS });
  const settlements = createSettlements({ ...common, endings });
  const purchases = createPurchases(common);
  const collection = createCollection({ ...common, endings, desk: () => desk });
  const desk: PaymentDesk = createPaymentDesk({
    ...common,
    effects: { invoice: collection.effects, change: purchases.effects, top_up: createTopUpEffects(common) },
    refunded: bookkeeping.refunded,
  });
  const notices = createNotices(common);
  const renewals = createRenewals({ ...common, collection, endings, notices, isSelling });
  const clocksAgree = createClockGuard(deps);
  const price = createPricing({ ...common, trials });
  const subscriptions = createSubscriptions({ ...common, trials, price, purchases, endings, desk });
  const paymentMethods = createPaymentMethods({ ...common, pageUrl });
  const checkout = createCheckout({ ...common, subscriptions, paymentMethods });
  const portal = createPortal({ db, clock, refuseWhileOff });

  const jobs: Job[] = [
    {
      name: "renew subscriptions",
      everySeconds: MINUTE,
      run: async () => {
        if (!(await clocksAgree())) return;
        if (isSelling) await notices.run();
        await renewals.run();
        if (isSelling) await collection.run();
      },
    },
    ...(isSelling ? [{ name: "follow up payments", everySeconds: MINUTE, run: desk.recover }] : []),
    { name: "forget ended payment pages", everySeconds: HOUR, run: () => forgetPages(db, clock.now()) },
  ];

  return {
    subscriptions,
    subscriptionCoupons: createSubscriptionCoupons(common),
    couponAdministration: createCouponAdministration({ db, audit, clock }),
    endings,
    settlementOf: (organizationId: string) =>
      db
        .transaction()
        .execute(async (trx) => settlements.settlementOf(await billing.lock(organizationId, trx), 0, trx)),
    grantPlan: createGrantPlan({ ...common, settlements }),
    trials,
    paymentMethods,
    invoices,
    collection,
    renewals,
    notices,
    heldRenewals: createHeldRenewals(common),
    announcePrice: createPriceChanges(common),
    desk,
    checkout,
    portal,
    buyCredits: createTopUps({ ...common, desk }),
    searchInvoices: createInvoiceSearch(db),
    refunds: createRefunds({ ...common, settlements, desk }),
    testPages: testDriver && createTestPages({ checkout, portal, paymentMethods, invoices, testDriver, desk }),
    pageUrl,
    productName,
    isTest,
    jobs,
  };
}

export type Billing = ReturnType<typeof createBilling>;

async function forgetPages(db: Database, now: Date): Promise<void> {
  await db.deleteFrom("checkout_sessions").where("expires_at", "<=", now).execute();
  await db.deleteFrom("portal_sessions").where("expires_at", "<=", now).execute();
  await db.deleteFrom("setup_intents").where("expires_at", "<=", now).execute();
}
