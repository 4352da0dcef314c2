import type { Logger } from "pino";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Events } from "../../platform/core/events.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Job } from "../../platform/core/jobs.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import { HOUR_S } from "../../platform/core/time.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { Credits } from "../credits/index.ts";
import type { Ledger } from "../ledger/index.ts";
import {
  checkStripeConnection,
  createStripeClient,
  createStripeDriver,
  createStripePortal,
  createStripeRecords,
  createStripeTax,
  createStripeWebhooks,
  createTestDriver,
  disabledPaymentDriver,
  type PaymentDriver,
  type PaymentService,
  type TaxService,
} from "../payment-services/index.ts";
import {
  type CalculatedTaxes,
  createBillingDetailsRepository,
  createCalculatedTaxes,
  createTaxes,
  createVatIdChecksRepository,
} from "../taxes/index.ts";
import { type BillingRepository, createBillingRepository } from "./billing.repository.ts";
import { type BillingSettings, isStripeTestMode } from "./billing.settings.ts";
import { createCheckoutPages } from "./checkout/create-checkout.ts";
import { createCouponAdministration } from "./coupons/coupons.admin.usecases.ts";
import { createCoupons } from "./coupons/coupons.usecases.ts";
import { createSubscriptionCoupons } from "./coupons/subscription-coupons.ts";
import { createTopUps } from "./credits/create-top-ups.ts";
import { createUpdateBillingDetails } from "./details/billing-details.usecases.ts";
import { createRenderAttachments } from "./documents/render-attachments.ts";
import { createDunning } from "./dunning/dunning.ts";
import { createCreditNotesRepository } from "./invoices/credit-notes.repository.ts";
import { createInvoiceSearch } from "./invoices/invoice-search.ts";
import { createInvoicesRepository } from "./invoices/invoices.repository.ts";
import { createPostings, type InvoiceHooks } from "./invoices/postings.ts";
import { createPaymentCustomers } from "./payments/payment-customers.ts";
import { createPaymentMethods } from "./payments/payment-methods.usecases.ts";
import { createPayments } from "./payments/payments.usecases.ts";
import { createRefundHandlers } from "./refunds/refund-handlers.ts";
import { createRefunds } from "./refunds/refunds.usecases.ts";
import { createClockGuard, type DatabaseNow } from "./renewals/clock-guard.ts";
import { createHeldRenewals } from "./renewals/held-renewals.ts";
import { createNotices } from "./renewals/notices.jobs.ts";
import { createRenewals } from "./renewals/renewals.jobs.ts";
import { createCancellation } from "./subscriptions/cancellation.ts";
import { createEarlyTermination, type EarlyTermination } from "./subscriptions/early-termination.ts";
import { createGrantPlan } from "./subscriptions/plan-grants.ts";
import { createAnnouncePrice } from "./subscriptions/price-changes.ts";
import { createPricing } from "./subscriptions/pricing.ts";
import { createPurchases } from "./subscriptions/purchases.ts";
import { createSubscriptions } from "./subscriptions/subscriptions.usecases.ts";
import { createTrials } from "./subscriptions/trials.ts";
import { createVatIdCheckJobs } from "./vat/vat-id-checks.jobs.ts";
import { createServiceEvents } from "./webhooks/service-events.ts";

type Deps = {
  db: Database;
  ledger: Ledger;
  credits: Credits;
  mail: Mail;
  outgoing: Outgoing;
  audit: Audit;
  events: Events;
  clock: Clock;
  ids: Ids;
  databaseNow: DatabaseNow;
  log: Logger;
  settings: BillingSettings;
  /** The key of the fingerprints of test cards: the secret of the installation. */
  cardFingerprintKey: Uint8Array;
  /** The payment service of the operator's module; null without one. */
  moduleService: PaymentService | null;
  publicUrl: string;
  productName: string;
  /** What other modules add when an invoice is paid or refunded. */
  invoiceHooks: InvoiceHooks;
  returnUnused(organizationId: string, trx: Database): Promise<void>;
  /** The only organization whose work is done; all if left out. */
  onlyOrganization?: string;
  invalidatePlan(organizationId: string): void;
};

const MINUTE_SECONDS = 60;
/** How often balances are compared with the thresholds of automatic top-ups. The contract names it. */
const AUTO_TOP_UP_SECONDS = 10;

/**
 * Wires the billing module. While payments are switched off, every call of the payment driver throws `payments.off`.
 */
export function createBilling(deps: Deps) {
  const { db, clock, audit, productName, settings } = deps;
  const pageUrl = (token: string) => `${deps.publicUrl}/api/test-payments/${token}`;
  const testDriver = settings.payments === "test" ? createTestDriver({ ...deps, pageUrl }) : null;
  const service = createPaymentService(deps);
  const driver = testDriver?.driver ?? service?.driver ?? disabledPaymentDriver;
  const isSelling = driver.name !== "off";
  const refuseWhilePaymentsOff = () => {
    if (!isSelling) throw errors.payments.off();
  };
  const { isTest, minChargeCents } = driver;
  const documentSettings = { productName, eInvoices: settings.eInvoices };
  const repositories = createRepositories({ ...deps, driver, taxService: service?.tax ?? null });
  const { billingRepository, invoicesRepository } = repositories;
  const coupons = createCoupons(db, clock);
  const postings = createPostings({ ...deps, ...repositories });
  const shared = {
    ...deps,
    ...repositories,
    coupons,
    postings,
    driver,
    retryDays: settings.retryDays,
    minChargeCents,
    isTest,
    isSelling,
    refuseWhilePaymentsOff,
  };

  const cancellation = createCancellation({ ...shared, closeAccounts: postings.closeAccounts });
  const trials = createTrials({ db, billingRepository, clock, isEnabled: settings.trials });
  const earlyTermination = createEarlyTermination({ ...shared, cancellation });
  const purchases = createPurchases(shared);
  const payments = createPayments({ ...shared, ...createRefundHandlers(shared) });
  const dunning = createDunning({ ...shared, cancellation, payments });
  payments.subscribe("invoice", dunning.paymentHandlers);
  payments.subscribe("change", purchases.paymentHandlers);
  const { autoTopUpJob, ...topUps } = createTopUps({ ...shared, payments });
  const notices = createNotices(shared);
  const renewals = createRenewals({ ...shared, dunning, cancellation, notices });
  const clocksAgree = createClockGuard(deps);
  const renewDue = createRenewDue({ isSelling, notices, renewals, dunning });
  const quotePlanChange = createPricing({ ...shared, trials });
  const subscriptions = createSubscriptions({ ...shared, trials, quotePlanChange, purchases, cancellation, payments });
  const paymentMethods = createPaymentMethods({ ...shared, enterTestCard: testDriver?.enterCard ?? null });
  const { jobs: serviceJobs, ...serviceEvents } = createServiceEvents({ ...shared, payments, paymentMethods, service });
  const testPages = testDriver && { paymentMethods, invoicesRepository, testDriver, payments };

  return {
    ...repositories,
    updateBillingDetails: createUpdateBillingDetails(shared),
    subscriptions,
    subscriptionCoupons: createSubscriptionCoupons(shared),
    couponAdministration: createCouponAdministration({ db, audit, clock }),
    cancellation,
    previewEndedPlan: createPreviewEndedPlan({ ...shared, earlyTermination }),
    grantPlan: createGrantPlan({ ...shared, earlyTermination }),
    trials,
    paymentMethods,
    dunning,
    renewals,
    notices,
    heldRenewals: createHeldRenewals(shared),
    announcePrice: createAnnouncePrice(shared),
    payments,
    ...serviceEvents,
    ...createCheckoutPages({ ...shared, pageUrl, subscriptions, paymentMethods, testPages }),
    ...topUps,
    searchInvoices: createInvoiceSearch(db),
    refunds: createRefunds({ ...shared, earlyTermination, payments }),
    documentSettings,
    renderAttachments: createRenderAttachments({ db, documentSettings }),
    productName,
    isTest,
    hasTestDriver: testDriver !== null,
    renewDue,
    jobs: [
      ...createJobs({ ...shared, clocksAgree, renewDue, autoTopUpJob, payments }),
      ...[serviceJobs, createVatIdCheckJobs(shared)].flat(),
    ],
  };
}

/** Returns a function that tells which paid plan of an organization would end early, and what is credited for it. */
function createPreviewEndedPlan({ db, billingRepository, earlyTermination }: PreviewDeps) {
  return (organizationId: string) =>
    db
      .transaction()
      .execute(async (trx) => earlyTermination.preview(await billingRepository.lockState(organizationId, trx), 0, trx));
}

type PreviewDeps = { db: Database; billingRepository: BillingRepository; earlyTermination: EarlyTermination };

function createRepositories(deps: Deps & { driver: PaymentDriver; taxService: TaxService | null }) {
  const { settings, taxService } = deps;
  const calculatesTaxes = settings.tax === "stripe" && taxService !== null;
  const calculatedTaxes = calculatesTaxes ? createCalculatedTaxes({ ...deps, service: taxService }) : null;
  const billingRepository = createBillingRepository(deps.db);
  const billingDetailsRepository = createBillingDetailsRepository(deps.db);
  const paymentCustomers = createPaymentCustomers({ ...deps, billingRepository });
  const vatIdChecksRepository = createVatIdChecksRepository(deps.db);
  const taxes = createTaxes({ ...deps, billingDetailsRepository, vatIdChecksRepository, calculatedTaxes });
  const invoicesRepository = createInvoicesRepository({ ...deps, billingRepository, billingDetailsRepository, taxes });
  const creditNotesRepository = createCreditNotesRepository(deps);
  return {
    billingRepository,
    billingDetailsRepository,
    vatIdChecksRepository,
    paymentCustomers,
    taxes,
    requestVatIdCheck: taxes.requestCheck,
    calculatedTaxes,
    invoicesRepository,
    creditNotesRepository,
  };
}

/** Returns the payment service that the settings name; null where payments are off or tests. */
function createPaymentService({ settings, moduleService, publicUrl, log }: Deps) {
  if (moduleService) return toServicePorts(moduleService);
  const { payments, stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiBase: apiBase } = settings;
  if (payments !== "stripe" || secretKey === undefined || webhookSecret === undefined) return null;
  const getStripe = createStripeClient({ secretKey, apiBase });
  const deps = { getStripe, isTest: isStripeTestMode(settings), returnUrl: `${publicUrl}/account`, log };
  const portal = settings.stripePortal ? { configuration: settings.stripePortalConfiguration } : null;
  const portalReturnUrl = `${publicUrl}/account/payment-methods`;
  return {
    driver: createStripeDriver(deps),
    webhooks: createStripeWebhooks({ ...deps, webhookSecret, followsCustomers: portal !== null }),
    records: createStripeRecords(deps),
    tax: createStripeTax({ ...deps, taxCode: settings.stripeTaxCode }),
    portal: portal && createStripePortal({ ...deps, ...portal, portalReturnUrl }),
    checkConnection: () =>
      checkStripeConnection({ ...deps, publicUrl, calculatesTaxes: settings.tax === "stripe", portal }),
  };
}

/** Returns a module's service with what only Stripe has left out. */
function toServicePorts({ driver, webhooks = null }: PaymentService) {
  const { name, isTest } = driver;
  const connection = { driver: name, isTest, account: null, webhook: null, permissions: [], problems: [] };
  return { driver, webhooks, records: null, tax: null, portal: null, checkConnection: async () => connection };
}

/** The part of billing that other modules use. */
export type Billing = Omit<ReturnType<typeof createBilling>, "jobs">;

type RenewDeps = {
  isSelling: boolean;
  notices: { run(): Promise<void> };
  renewals: { run(stopping?: AbortSignal): Promise<void> };
  dunning: { run(stopping?: AbortSignal): Promise<void> };
};

/** Returns a function that announces, renews and collects what is due. */
function createRenewDue({ isSelling, notices, renewals, dunning }: RenewDeps) {
  return async (stopping?: AbortSignal): Promise<void> => {
    if (isSelling) await notices.run();
    await renewals.run(stopping);
    if (isSelling) await dunning.run(stopping);
  };
}

type JobDeps = {
  db: Database;
  clock: Clock;
  /** Returns whether this server's clock agrees with the database's. */
  clocksAgree(): Promise<boolean>;
  isSelling: boolean;
  renewDue(stopping?: AbortSignal): Promise<void>;
  autoTopUpJob: { run(): Promise<void> };
  payments: { recover(): Promise<void> };
  calculatedTaxes: CalculatedTaxes | null;
};

function createJobs(deps: JobDeps): Job[] {
  const { db, clock, clocksAgree, isSelling, renewDue, autoTopUpJob, payments, calculatedTaxes } = deps;
  return [
    {
      name: "renew subscriptions",
      everySeconds: MINUTE_SECONDS,
      run: async (stopping) => {
        if (await clocksAgree()) await renewDue(stopping);
      },
    },
    ...(isSelling
      ? [
          { name: "follow up payments", everySeconds: MINUTE_SECONDS, run: payments.recover },
          { name: "buy credits by automatic payments", everySeconds: AUTO_TOP_UP_SECONDS, run: autoTopUpJob.run },
        ]
      : []),
    { name: "delete ended payment pages", everySeconds: HOUR_S, run: () => deleteExpiredPages(db, clock.now()) },
    ...(calculatedTaxes
      ? [{ name: "delete old calculations of taxes", everySeconds: HOUR_S, run: calculatedTaxes.deleteOld }]
      : []),
  ];
}

async function deleteExpiredPages(db: Database, now: Date): Promise<void> {
  await db.deleteFrom("checkout_sessions").where("expires_at", "<=", now).execute();
  await db.deleteFrom("portal_sessions").where("expires_at", "<=", now).execute();
  await db.deleteFrom("setup_intents").where("expires_at", "<=", now).execute();
}
