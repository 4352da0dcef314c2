import { z } from "zod";

/** A tax as the service that calculated it says it. */
export const taxLineSchema = z.object({
  name: z.string(),
  jurisdiction: z.string(),
  percent: z.number().nullable(),
  taxable_cents: z.number(),
  tax_cents: z.number(),
  reason: z.string(),
});
/** A tax of an invoice, for one jurisdiction. */
export type TaxLine = z.output<typeof taxLineSchema>;

/** What a tax service calculated for a net amount. */
export const taxCalculationSchema = z.object({
  /** The id at the service. */
  reference: z.string(),
  tax_cents: z.number(),
  lines: z.array(taxLineSchema),
});

/** What a tax service calculated for a net amount: its id there, the tax in minor units, and the tax of each jurisdiction. */
export type TaxCalculation = z.output<typeof taxCalculationSchema>;
