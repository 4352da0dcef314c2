import { z } from "zod";

/** A card as the payment driver returned it. */
export const cardSchema = z.object({
  reference: z.string(),
  fingerprint: z.string(),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.number(),
  expYear: z.number(),
});
