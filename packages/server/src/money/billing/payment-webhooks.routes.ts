import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Billing } from "./billing.ts";

/** The route of the payment service's webhooks. The signature is the only access check. */
export function paymentWebhookRoutes({ billing }: { billing: Billing }): Handlers {
  return {
    "payments.stripeWebhook": async ({ request }) => {
      const signature = request.headers["stripe-signature"];
      await billing.paymentWebhooks.receive(request.signedBody ?? "", signature?.toString());
      return undefined;
    },
  };
}
