import type { components } from "@feather/openapi/schema";
import type { PaymentCheck } from "./reconciliation.usecases.ts";

/** Converts a comparison of payments for admins; null without one. */
export function toPaymentCheckDto(check: PaymentCheck | null): components["schemas"]["PaymentCheck"] | null {
  if (!check) return null;
  const { checkedAt, ...rest } = check;
  return { checked_at: checkedAt.toISOString(), ...rest };
}
