import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../../platform/core/http/handlers.ts";
import type { PaymentConnection } from "../../payment-services/index.ts";

/** The route by which admins check the connection to the payment service. */
export function connectionRoutes({
  billing,
}: {
  billing: { checkConnection(): Promise<PaymentConnection> };
}): Handlers {
  return { "admin.payments.check": async () => toConnectionDto(await billing.checkConnection()) };
}

function toConnectionDto({ isTest, webhook, ...rest }: PaymentConnection): components["schemas"]["PaymentConnection"] {
  const { missingEvents = [], state = "unknown", url = "" } = webhook ?? {};
  return { ...rest, is_test: isTest, webhook: webhook && { state, url, missing_events: missingEvents } };
}
