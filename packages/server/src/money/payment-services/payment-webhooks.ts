import { z } from "zod";
import type { PaymentEvent } from "./payment-driver.ts";

/**
 * What a webhook is about, by the reference of the payment or setup at the service. The state is not taken from the webhook,
 * which may be late, but asked of the service.
 */
export const webhookSubjectSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("payment"), reference: z.string() }),
  z.object({ kind: z.literal("refund"), reference: z.string() }),
  z.object({ kind: z.literal("setup"), reference: z.string() }),
  z.object({
    kind: z.literal("dispute"),
    reference: z.string(),
    dispute: z.string(),
  }),
]);
/** What a webhook is about. */
export type WebhookSubject = z.infer<typeof webhookSubjectSchema>;

/** A webhook whose signature was checked. */
export type PaymentWebhook = { id: string; type: string; subject: WebhookSubject };

/** Reads the webhooks of a payment service. */
export type WebhookReader = {
  /**
   * Checks the signature of a body and its age. Returns null for an event that nothing follows from. Throws
   * `payments.webhook_refused`.
   */
  read(body: string, signature: string | undefined, now: Date): Promise<PaymentWebhook | null>;
  /** Returns the current state of a payment, or of its refunds; null for a payment of others. */
  resolve(subject: WebhookSubject): Promise<PaymentEvent | null>;
};
