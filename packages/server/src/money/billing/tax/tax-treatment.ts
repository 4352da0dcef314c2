import type { Database } from "../../../platform/core/db/connect.ts";
import type { BillingDetails, BillingDetailsRepository } from "../details/billing-details.repository.ts";
import { isInEu } from "../vat/eu-countries.ts";
import {
  NOT_ASKED_YET,
  UNCHECKED,
  type VatIdCheck,
  type VatIdChecksRepository,
} from "../vat/vat-id-checks.repository.ts";

/** The rate of tax on an invoice, in percent, and whether the buyer owes it instead of the seller. */
export type TaxTreatment = { percent: number; isReverseCharge: boolean };

type TaxSettings = {
  taxPercent: number;
  seller?: { country: string; vat_id?: string | undefined } | undefined;
  /** Whether VIES is asked about VAT ids. */
  vies: boolean;
};

type Buyer = Pick<BillingDetails, "country" | "vatId">;

/** Decides the tax of organizations by their billing details. */
export function createTaxes(
  settings: TaxSettings,
  billingDetailsRepository: BillingDetailsRepository,
  vatIdChecksRepository: VatIdChecksRepository,
) {
  /** Returns what VIES has said of a buyer's VAT id. */
  async function findCheck(organizationId: string, buyer: Buyer, trx?: Database): Promise<VatIdCheck> {
    if (!settings.vies || buyer.vatId === null || !isBusinessElsewhereInEu(settings, buyer)) return UNCHECKED;
    return (await vatIdChecksRepository.find(organizationId, buyer.vatId, trx)) ?? NOT_ASKED_YET;
  }

  return {
    findCheck,
    /** Returns the treatment of what the organization buys now, and the check of its VAT id that it rests on. */
    async findTreatment(organizationId: string, trx: Database): Promise<TaxTreatment & { check: VatIdCheck }> {
      const details = await billingDetailsRepository.find(organizationId, trx);
      const check = await findCheck(organizationId, details, trx);
      return { ...decideTax(settings, details, check), check };
    },
    /** Has VIES asked about the VAT id of new details: another one, or one that was not found valid and is saved again. */
    async requestCheck(
      organizationId: string,
      details: BillingDetails,
      { now, isSavedAgain }: { now: Date; isSavedAgain: boolean },
      trx: Database,
    ): Promise<void> {
      const { state } = await findCheck(organizationId, details, trx);
      if (state === "unchecked" || details.vatId === null) return vatIdChecksRepository.remove(organizationId, trx);
      const isAnew = state === "checking" || (isSavedAgain && state !== "valid");
      if (isAnew) await vatIdChecksRepository.ask(organizationId, details.vatId, now, trx);
    },
  };
}

export type Taxes = ReturnType<typeof createTaxes>;

/**
 * Returns the rate of the settings, or none where the buyer owes the tax: seller and buyer are in different member states of
 * the EU, and both have a VAT id. Where VIES is asked, the buyer's id must have been found valid.
 */
export function decideTax(settings: TaxSettings, buyer: Buyer, { state }: Pick<VatIdCheck, "state">): TaxTreatment {
  const isReverseCharge = isBusinessElsewhereInEu(settings, buyer) && (!settings.vies || state === "valid");
  return { percent: isReverseCharge ? 0 : settings.taxPercent, isReverseCharge };
}

function isBusinessElsewhereInEu({ seller }: TaxSettings, { country, vatId }: Buyer): boolean {
  return (
    seller?.vat_id !== undefined &&
    vatId !== null &&
    country !== null &&
    country !== seller.country &&
    isInEu(country) &&
    isInEu(seller.country)
  );
}
