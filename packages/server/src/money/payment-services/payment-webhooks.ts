import { z } from "zod";
import type { WebhookSubject } from "./payment-driver.ts";

/**
 * What a webhook is about, as it is stored until it is handled. The state is not taken from the webhook, which may be late, but asked
 * of the service.
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
  z.object({ kind: z.literal("customer"), reference: z.string() }),
]) satisfies z.ZodType<WebhookSubject>;
