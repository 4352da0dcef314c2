import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../../platform/core/http/handlers.ts";
import type { BillingDetails, BillingDetailsRepository } from "./billing-details.repository.ts";
import type { UpdateBillingDetails } from "./billing-details.usecases.ts";

type Billing = { billingDetailsRepository: BillingDetailsRepository; updateBillingDetails: UpdateBillingDetails };

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
