import type { Logger } from "pino";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { Credits, CreditsRepository } from "../credits/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { PaymentService } from "../payment-services/index.ts";
import type { PlansRepository } from "../plans/index.ts";
import { autoTopUpRoutes } from "./auto-top-ups.routes.ts";
import type { BillingSettings } from "./billing.settings.ts";
import { type Billing, createBilling } from "./billing.ts";
import { billingDetailsRoutes } from "./details/billing-details.routes.ts";
import { creditNoteRoutes } from "./documents/credit-notes.routes.ts";
import type { InvoiceHooks } from "./invoices/postings.ts";
import { paymentWebhookRoutes } from "./payment-webhooks.routes.ts";
import { connectionRoutes } from "./payments/connection.routes.ts";
import { paymentRoutes } from "./payments.routes.ts";
import { toPaymentCheckDto } from "./reconciliation/payment-check.dto.ts";
import type { DatabaseNow } from "./renewals/clock-guard.ts";
import { adminSubscriptionRoutes } from "./subscriptions.admin.routes.ts";
import { subscriptionRoutes } from "./subscriptions.routes.ts";
import { createRoutesOnTestClocks } from "./test-clock/routes-on-test-clocks.ts";
import { createTestClockRepository } from "./test-clock/test-clock.repository.ts";
import { testClockRoutes } from "./test-clock/test-clock.routes.ts";
import { createTestClockUseCases } from "./test-clock/test-clock.usecases.ts";
import { testPaymentRoutes } from "./test-payments.routes.ts";

type Ports = {
  db: Database;
  ledger: Ledger;
  credits: Credits;
  creditsRepository: CreditsRepository;
  plansRepository: PlansRepository;
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
  /** Returns credits of an organization that it drew and a marketplace would bill, before its accounts are closed. */
  returnUnused(organizationId: string, trx: Database): Promise<void>;
  invalidatePlan(organizationId: string): void;
};

/** Creates subscriptions, payments, invoices and what follows from them. */
export function createBillingModule(ports: Ports) {
  const { jobs, ...billing } = createBilling(ports);
  const { hasTestDriver } = billing;
  const testClockRepository = createTestClockRepository(ports.db);
  const testClocks = createTestClockUseCases({
    ...ports,
    ...billing,
    testClockRepository,
    hasTestDriver,
    async runDue(onlyOrganization, clock) {
      const { renewDue, payments } = createBilling({ ...ports, clock, onlyOrganization });
      await renewDue();
      await payments.recover();
    },
  });
  const createRoutes = (clock: Clock) =>
    createBillingRoutes({ ...ports, clock }, clock === ports.clock ? billing : createBilling({ ...ports, clock }));
  return {
    routes: {
      ...(hasTestDriver
        ? createRoutesOnTestClocks({ ...ports, testClockRepository, createRoutes })
        : createBillingRoutes(ports, billing)),
      ...testClockRoutes(testClocks),
    },
    jobs,
    api: { ...billing, readPaymentsCheck: async () => toPaymentCheckDto(await billing.reconciliation.latest()) },
  };
}

function createBillingRoutes(ports: Ports, billing: Billing): Handlers {
  return {
    ...subscriptionRoutes({ ...ports, billing }),
    ...adminSubscriptionRoutes({ billing }),
    ...billingDetailsRoutes({ ...ports, billing }),
    ...creditNoteRoutes({ billing }),
    ...paymentRoutes({ ...ports, billing }),
    ...autoTopUpRoutes({ billing }),
    ...connectionRoutes({ billing }),
    ...testPaymentRoutes({ billing }),
    ...paymentWebhookRoutes({ billing }),
  };
}

export { type BillingRepository, createBillingRepository } from "./billing.repository.ts";
export type { Billing } from "./billing.ts";
export { type Buyer, toBuyer } from "./buyer.ts";
export type { InvoiceRow } from "./invoices/invoices.repository.ts";
export type { InvoiceHooks } from "./invoices/postings.ts";
export { findRefusedDetails } from "./portal/refused-details.ts";
export { type DatabaseNow, readDatabaseNow } from "./renewals/clock-guard.ts";
export { billedToSchema } from "./stored.schemas.ts";
export type { EndedPlan } from "./subscriptions/early-termination.ts";
export { toEndedPlanDto } from "./subscriptions/ended-plan.dto.ts";
export { MARKETPLACE_NAMES, type MarketplaceProvider } from "./subscriptions/marketplace-accounts.ts";
export type { GrantPlan } from "./subscriptions/plan-grants.ts";
export { normalizeEmail } from "./subscriptions/trials.ts";
