import type { ServerExposure } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Returns who takes the money, and whether any moves. Stripe's publishable key says whether it is in test mode. */
export function paymentsLabel(state: ServerExposure["payments"], stripeKey: string | null | undefined): string {
  if (state === "off") return t`off`;
  if (state === "test") return t`test, no money moves`;
  if (state === "module") return t`your own payment driver`;
  if (!stripeKey) return t`Stripe`;
  return stripeKey.startsWith("pk_live_") ? t`Stripe, live` : t`Stripe in test mode, no money moves`;
}
