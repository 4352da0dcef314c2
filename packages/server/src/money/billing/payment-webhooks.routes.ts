import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Billing } from "./billing.ts";

/** The route of the payment service's webhooks. The signature is the only access check. */
export function paymentWebhookRoutes({ billing }: { billing: Billing }): Handlers {
  return {
    "payments.stripeWebhook": async ({ request }) => {
      await billing.paymentWebhooks.receive({ body: request.signedBody ?? "", headers: request.headers });
      return undefined;
    },
  };
}
