import { z } from "zod";
import type { Interval } from "./periods.ts";

/** What is stored as JSON with invoices, payments and setup intents. Keep the names of the fields. */
const interval = z.enum(["month", "year"]) satisfies z.ZodType<Interval>;

/** The lines of an invoice. */
export const invoiceLinesSchema = z.array(z.object({ description: z.string(), amount_cents: z.number() }));

/** Name and e-mail address to which an invoice was billed, as they were when it was created. */
export const billedToSchema = z.object({ name: z.string(), email: z.string() });

/** An invoice before it has a number. */
export const invoiceDraftSchema = z.object({
  lines: invoiceLinesSchema,
  subtotalCents: z.number(),
  discountCents: z.number(),
  taxCents: z.number(),
  totalCents: z.number(),
  carriedCents: z.number(),
  valueCents: z.number(),
});

/** A plan with quantity, price and interval. */
export const planSelectionSchema = z.object({
  planId: z.string(),
  name: z.string(),
  quantity: z.number(),
  priceCents: z.number(),
  interval,
  metered: z.boolean(),
  trialDays: z.number(),
});

/** The credential and the IP address of the request that something was stored for. */
export const originSchema = z.object({ credential: z.string().nullable(), ip: z.string().nullable() });

/** A card as the payment driver returned it. */
export const cardSchema = z.object({
  reference: z.string(),
  fingerprint: z.string(),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.number(),
  expYear: z.number(),
});
