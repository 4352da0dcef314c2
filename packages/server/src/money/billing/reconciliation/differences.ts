import { z } from "zod";

/** Differences between a payment here and at the payment service, as they are stored. */
export const differencesSchema = z.array(
  z.object({
    kind: z.enum(["unknown_here", "unknown_at_service", "not_posted", "amount", "currency", "refund", "dispute"]),
    /** The payment's id at the service. */
    reference: z.string().nullable(),
    payment_id: z.string().nullable(),
    /** The currency of the amounts; missing in comparisons from before there were others. */
    currency: z.string().default("USD"),
    service_cents: z.number().nullable(),
    our_cents: z.number().nullable(),
    /** Whether it was posted now, so that nothing differs any more. */
    repaired: z.boolean(),
  }),
);
/** A difference between a payment here and at the payment service. */
export type Difference = z.infer<typeof differencesSchema>[number];
