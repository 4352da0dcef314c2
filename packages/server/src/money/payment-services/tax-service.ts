import { AppError } from "../../platform/core/errors/index.ts";
import type { TaxCalculation } from "./tax-calculation.schemas.ts";

/** What a tax depends on: who buys, and a net amount above zero in minor units of a currency. */
export type TaxRequest = {
  buyer: Readonly<Record<"address" | "postalCode" | "city" | "country" | "vatId", string | null>>;
  currency: string;
  netCents: number;
};

/** Returns whether a tax could not be calculated because the address of the buyer is not enough: an error `payments.tax_address`. */
export function isTaxAddressMissing(error: unknown): boolean {
  return error instanceof AppError && error.code === "payments.tax_address";
}

/** The id of what was reported, or the code with which the service refused it for good. */
export type TaxReportOutcome = { reference: string } | { refused: string };

/** A service that calculates taxes, and to which they are reported. A call without a usable response throws `payments.pending`. */
export type TaxService = {
  /** Throws `payments.tax_address` where the address is not enough, and `payments.tax_unavailable` without a usable response. */
  calculate(request: TaxRequest): Promise<TaxCalculation>;
  /** Reports the tax of a paid invoice. Calls with the same `id` report it once. */
  report(sale: { id: string; calculation: string }): Promise<TaxReportOutcome>;
  /** Takes back the tax in an amount with tax, in minor units. Calls with the same `id` do it once. */
  takeBack(refund: { id: string; sale: string; cents: number; currency: string }): Promise<TaxReportOutcome>;
  /** Undoes what `takeBack` did, since the refund failed. */
  undo(refund: { id: string; takenBack: string }): Promise<TaxReportOutcome>;
};
