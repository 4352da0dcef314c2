import type { PaymentMethod } from "@feather/sdk";
import { t } from "@lingui/core/macro";

const BRANDS: Record<string, string> = { visa: "Visa", mastercard: "Mastercard", amex: "American Express" };

/** Returns brand and last digits, such as "Visa ending in 4242". */
export const formatCardName = ({ brand, last4 }: Pick<PaymentMethod, "brand" | "last4">): string =>
  t`${BRANDS[brand] ?? t`Card`} ending in ${last4}`;

/** Returns month and year of expiry, such as 12/2030. */
export const formatCardExpiry = ({ exp_month, exp_year }: PaymentMethod): string =>
  `${String(exp_month).padStart(2, "0")}/${exp_year}`;

/** Returns whether a card has expired. It is valid to the end of its month. */
export const isExpired = ({ exp_month, exp_year }: PaymentMethod, now: Date = new Date()): boolean =>
  now.getTime() >= Date.UTC(exp_year, exp_month, 1);
