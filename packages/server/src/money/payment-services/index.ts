/** What moves the money: the interface to a payment service, and Stripe, the test driver and none behind it. */
export { cardDeclined } from "./card-declined.ts";
export { disabledPaymentDriver } from "./disabled-payment-driver.ts";
export type { PaymentConnection } from "./payment-connection.ts";
export type { Card, PaymentDriver, PaymentEvent, PaymentKey, Setup } from "./payment-driver.ts";
export type { ChargeRecord, Dispute, PaymentRecords } from "./payment-records.ts";
export { type PaymentWebhook, type WebhookReader, webhookSubjectSchema } from "./payment-webhooks.ts";
export { createStripeClient } from "./stripe/stripe-client.ts";
export { checkStripeConnection } from "./stripe/stripe-connection.ts";
export { createStripeDriver } from "./stripe/stripe-driver.ts";
export { createStripeRecords } from "./stripe/stripe-records.ts";
export { createStripeWebhooks } from "./stripe/stripe-webhooks.ts";
export { createTestDriver, type TestDriver } from "./test-payment-driver.ts";
