import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Billing } from "./billing.ts";

/** The routes of webhooks: Stripe's, and those of another payment service. The signature is the only access check. */
export function paymentWebhookRoutes({ billing }: { billing: Billing }): Handlers {
  return {
    "payments.stripeWebhook": async ({ request }) => {
      await billing.paymentWebhooks.receive("stripe", { body: request.signedBody ?? "", headers: request.headers });
      return undefined;
    },
    "payments.webhook": async ({ request }) => {
      await billing.paymentWebhooks.receive("module", { body: request.signedBody ?? "", headers: request.headers });
      return undefined;
    },
  };
}
