import type { Database } from "../../../platform/core/db/connect.ts";
import type { BillingDetails, BillingDetailsRepository } from "../details/billing-details.repository.ts";

/** The rate of tax on an invoice, in percent, and whether the buyer owes it instead of the seller. */
export type TaxTreatment = { percent: number; isReverseCharge: boolean };

/** The member states of the EU, whose businesses owe the VAT on services from other member states themselves. */
const EU_COUNTRIES: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

type TaxSettings = { taxPercent: number; seller?: { country: string; vat_id?: string | undefined } | undefined };

/** Decides the tax of organizations by their billing details. */
export function createTaxes(settings: TaxSettings, billingDetailsRepository: BillingDetailsRepository) {
  return {
    /** Returns the treatment of what the organization buys now. */
    async findTreatment(organizationId: string, trx: Database): Promise<TaxTreatment> {
      return decideTax(settings, await billingDetailsRepository.find(organizationId, trx));
    },
  };
}

export type Taxes = ReturnType<typeof createTaxes>;

/**
 * Returns the rate of the settings, or none where the buyer owes the tax: seller and buyer are in different member states of
 * the EU, and both have a VAT id.
 */
export function decideTax(
  { taxPercent, seller }: TaxSettings,
  { country, vatId }: Pick<BillingDetails, "country" | "vatId">,
): TaxTreatment {
  const isReverseCharge =
    seller?.vat_id !== undefined &&
    vatId !== null &&
    country !== null &&
    country !== seller.country &&
    EU_COUNTRIES.has(country) &&
    EU_COUNTRIES.has(seller.country);
  return { percent: isReverseCharge ? 0 : taxPercent, isReverseCharge };
}
