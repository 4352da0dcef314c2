import type { Database } from "../../platform/core/db/connect.ts";
import { isInEu } from "../../platform/core/eu-countries.ts";
import { stepOf } from "../currencies/index.ts";
import type { BillingDetails, BillingDetailsRepository } from "./billing-details.repository.ts";
import type { CalculatedTaxes } from "./calculated-taxes.ts";
import { type Tax, type TaxOf, taxAt } from "./tax.ts";
import { NOT_ASKED_YET, UNCHECKED, type VatIdCheck, type VatIdChecksRepository } from "./vat-id-checks.repository.ts";

/** The rate of tax on an invoice, in percent, and whether the buyer owes it instead of the seller. */
export type TaxTreatment = { percent: number; isReverseCharge: boolean };

type TaxSettings = {
  taxPercent: number;
  seller?: { country: string; vat_id?: string | undefined } | undefined;
  /** Whether VIES is asked about VAT ids. */
  vies: boolean;
};

type Buyer = Pick<BillingDetails, "country" | "vatId">;

/** How an organization's purchases are taxed, whether it owes the tax itself, and the check of its VAT id that this rests on. */
export type Taxation = { taxOf: TaxOf; isReverseCharge: boolean; check: VatIdCheck };

type Deps = {
  db: Database;
  settings: TaxSettings;
  billingDetailsRepository: BillingDetailsRepository;
  vatIdChecksRepository: VatIdChecksRepository;
  /** Null where the tax is a rate of the settings. */
  calculatedTaxes: CalculatedTaxes | null;
};

/** Decides the tax of organizations by their billing details. */
export function createTaxes(deps: Deps) {
  const { db, settings, billingDetailsRepository, vatIdChecksRepository, calculatedTaxes } = deps;
  /** Returns what VIES has said of a buyer's VAT id. */
  async function findCheck(organizationId: string, buyer: Buyer, trx?: Database): Promise<VatIdCheck> {
    if (!settings.vies || buyer.vatId === null || !isBusinessElsewhereInEu(settings, buyer)) return UNCHECKED;
    return (await vatIdChecksRepository.find(organizationId, buyer.vatId, trx)) ?? NOT_ASKED_YET;
  }

  return {
    findCheck,
    /** Returns how what the organization buys now in a currency is taxed. */
    async findTaxation(organizationId: string, currency: string, trx: Database): Promise<Taxation> {
      const details = await billingDetailsRepository.find(organizationId, trx);
      const check = await findCheck(organizationId, details, trx);
      if (calculatedTaxes) {
        const taxOf = await calculatedTaxes.findTaxOf(organizationId, { buyer: details, currency }, trx);
        return { taxOf, isReverseCharge: false, check };
      }
      const { percent, isReverseCharge } = decideTax(settings, details, check);
      return { taxOf: taxAt(percent, stepOf(currency)), isReverseCharge, check };
    },
    /** Runs a transaction that prices something. It runs again where a tax had to be calculated first. */
    transact: <T>(run: (trx: Database) => Promise<T>): Promise<T> =>
      calculatedTaxes ? calculatedTaxes.transact(run) : db.transaction().execute(run),
    /** Keeps the tax of a draft for the one invoice that is made of it. */
    async claim(draft: Pick<Tax, "taxCalculation">, trx: Database): Promise<void> {
      await calculatedTaxes?.claim(draft, trx);
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
