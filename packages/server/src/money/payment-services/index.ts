/** What moves the money: the interface to a payment service, and Stripe, a module of the operator, the test driver and none behind it. */
export { cardDeclined } from "./card-declined.ts";
export {
  type CustomerData,
  type CustomerPortal,
  type CustomerRecord,
  customerDataSchema,
} from "./customer-portal.ts";
export { disabledPaymentDriver } from "./disabled-payment-driver.ts";
export { loadPaymentService } from "./module/load-payment-module.ts";
export type { PaymentConnection } from "./payment-connection.ts";
export type {
  Card,
  PaymentDriver,
  PaymentEvent,
  PaymentKey,
  PaymentService,
  PaymentWebhook,
  Setup,
  WebhookReader,
  WebhookRequest,
} from "./payment-driver.ts";
export type { ChargeRecord, Dispute, PaymentRecords } from "./payment-records.ts";
export { webhookSubjectSchema } from "./payment-webhooks.ts";
export { createStripeClient } from "./stripe/stripe-client.ts";
export { checkStripeConnection } from "./stripe/stripe-connection.ts";
export { createStripeDriver } from "./stripe/stripe-driver.ts";
export { createStripePortal } from "./stripe/stripe-portal.ts";
export { createStripeRecords } from "./stripe/stripe-records.ts";
export { createStripeTax } from "./stripe/stripe-tax.ts";
export { createStripeWebhooks } from "./stripe/stripe-webhooks.ts";
export { type TaxCalculation, type TaxLine, taxCalculationSchema } from "./tax-calculation.schemas.ts";
export { isTaxAddressMissing, type TaxReportOutcome, type TaxRequest, type TaxService } from "./tax-service.ts";
export { createTestDriver, type TestDriver } from "./test-payment-driver.ts";
