import { proportion } from "../../platform/core/money.ts";
import type { TaxCalculation } from "../payment-services/index.ts";

/** The tax on a net amount. */
export type Tax = {
  /** The rate of the tax; null where there is none or several. Missing in drafts that were stored before it was recorded. */
  taxPercent?: number | null | undefined;
  taxCents: number;
  /** How the tax was calculated, where the payment service did that. */
  taxCalculation?: TaxCalculation | undefined;
};

/** Returns the tax on a net amount, which is never below zero. Throws `TaxNotCalculated` where it has to be asked for first. */
export type TaxOf = (netCents: number) => Tax;

/** Returns the tax at a rate in percent, rounded to multiples of `step` minor units. */
export function taxAt(percent: number, step: number): TaxOf {
  return (netCents) => ({
    taxPercent: percent,
    taxCents: proportion(netCents, Math.round(percent * 100), 10_000, step),
  });
}
