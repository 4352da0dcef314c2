import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Billing } from "./billing.ts";
import type { BillingDetails } from "./details/billing-details.repository.ts";

/** Routes of the details that an organization's invoices are written to. */
export function billingDetailsRoutes({ billing }: { billing: Billing }): Handlers {
  const { billingDetailsRepository, updateBillingDetails } = billing;
  return {
    "organization.billingDetails.get": async ({ actor }) =>
      toBillingDetailsDto(await billingDetailsRepository.find(actor.organizationId)),
    "organization.billingDetails.update": async ({ actor, body }) => {
      const { vat_id: vatId, ...change } = body;
      return toBillingDetailsDto(await updateBillingDetails(actor, { ...change, vatId }));
    },
  };
}

function toBillingDetailsDto({ vatId, ...rest }: BillingDetails): components["schemas"]["BillingDetails"] {
  return { ...rest, vat_id: vatId };
}
