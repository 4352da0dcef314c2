import { z } from "zod";
import { taxCalculationSchema } from "../payment-services/index.ts";
import type { Interval } from "../quotes/index.ts";

/** What is stored as JSON with invoices, payments and setup intents. Keep the names of the stored fields. */
const interval = z.enum(["month", "year"]) satisfies z.ZodType<Interval>;

/** The lines of an invoice. */
export const invoiceLinesSchema = z.array(z.object({ description: z.string(), amount_cents: z.number() }));

/** To whom an invoice was billed, as they were when it was created. Only name and e-mail address are always there. */
export const billedToSchema = z.object({
  name: z.string(),
  email: z.string(),
  address: z.string().nullish(),
  postal_code: z.string().nullish(),
  city: z.string().nullish(),
  country: z.string().nullish(),
  vat_id: z.string().nullish(),
  buyer_reference: z.string().nullish(),
});
/** To whom an invoice was billed. */
export type BilledTo = z.output<typeof billedToSchema>;

/** Who issued an invoice, as the settings said when it was created. */
export const sellerSchema = z.object({
  name: z.string(),
  address: z.string(),
  postal_code: z.string().optional(),
  city: z.string().optional(),
  country: z.string(),
  vat_id: z.string().optional(),
  tax_currency: z.string().optional(),
  contact: z.object({ name: z.string(), phone: z.string(), email: z.string() }).optional(),
});

/** An invoice before it has a number. */
export const invoiceDraftSchema = z.object({
  lines: invoiceLinesSchema,
  subtotalCents: z.number(),
  discountCents: z.number(),
  taxPercent: z.number().nullish(),
  taxCents: z.number(),
  taxCalculation: taxCalculationSchema.optional(),
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

/**
 * A priced change of plan, stored with its payment until that succeeds. Dates are ISO strings. `toStoredPurchase` writes it:
 * in the database the selection is called `wanted` and the draft `bill`.
 */
export const purchaseSchema = z
  .object({
    userId: z.string(),
    /** Missing in purchases that were stored before it was recorded. */
    origin: originSchema.optional(),
    /** The subscription and account version that the price is based on; if they changed, the payment is refunded. */
    subscriptionId: z.string().nullable(),
    version: z.number(),
    wanted: planSelectionSchema,
    /** Missing in purchases from before plans had versions. */
    planVersion: z.number().optional(),
    bill: invoiceDraftSchema,
    at: z.string(),
    anchor: z.string(),
    periodIndex: z.number(),
    periodStart: z.string(),
    periodEnd: z.string(),
    trialEnd: z.string().nullable(),
    coupon: z
      .object({ code: z.string(), endsAt: z.string().nullable(), isNew: z.boolean(), spent: z.boolean() })
      .nullable(),
  })
  .transform(({ wanted, bill, ...rest }) => ({ ...rest, selection: wanted, draft: bill }));
/** The change of plan that a payment of purpose `change` is for. */
export type Purchase = z.output<typeof purchaseSchema>;

/** Returns a purchase as JSON with the stored names, which `purchaseSchema` reads. */
export function toStoredPurchase({ selection, draft, ...rest }: Purchase): string {
  return JSON.stringify({ ...rest, wanted: selection, bill: draft } satisfies z.input<typeof purchaseSchema>);
}

/** A priced top-up, stored with its payment until that succeeds. `toStoredTopUp` writes it: the draft is stored as `bill`. */
export const topUpSchema = z
  .object({
    userId: z.string(),
    /** Missing in top-ups that were stored before it was recorded. */
    origin: originSchema.optional(),
    creditCents: z.number(),
    bill: invoiceDraftSchema,
  })
  .transform(({ bill, ...rest }) => ({ ...rest, draft: bill }));
/** The credits that a payment of purpose `top_up` is for. */
export type TopUp = z.output<typeof topUpSchema>;

/** Returns a top-up as JSON with the stored names, which `topUpSchema` reads. */
export function toStoredTopUp({ draft, ...rest }: TopUp): string {
  return JSON.stringify({ ...rest, bill: draft } satisfies z.input<typeof topUpSchema>);
}
