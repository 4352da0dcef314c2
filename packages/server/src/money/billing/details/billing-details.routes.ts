import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../../platform/core/http/handlers.ts";
import type { VatIdCheck } from "../vat/vat-id-checks.repository.ts";
import type { BillingDetails, BillingDetailsRepository } from "./billing-details.repository.ts";
import type { UpdateBillingDetails } from "./billing-details.usecases.ts";

type Billing = {
  billingDetailsRepository: BillingDetailsRepository;
  updateBillingDetails: UpdateBillingDetails;
  taxes: { findCheck(organizationId: string, details: BillingDetails): Promise<VatIdCheck> };
};

/** Routes of the details that an organization's invoices are written to. */
export function billingDetailsRoutes({ billing }: { billing: Billing }): Handlers {
  const { billingDetailsRepository, updateBillingDetails, taxes } = billing;
  const toDto = async (organizationId: string, details: BillingDetails) =>
    toBillingDetailsDto(details, await taxes.findCheck(organizationId, details));
  return {
    "organization.billingDetails.get": async ({ actor: { organizationId } }) =>
      toDto(organizationId, await billingDetailsRepository.find(organizationId)),
    "organization.billingDetails.update": async ({ actor, body }) => {
      const { vat_id: vatId, postal_code: postalCode, buyer_reference: buyerReference, ...rest } = body;
      const change = { ...rest, vatId, postalCode, buyerReference };
      return toDto(actor.organizationId, await updateBillingDetails(actor, change));
    },
  };
}

function toBillingDetailsDto(
  { vatId: vat_id, postalCode: postal_code, buyerReference: buyer_reference, ...rest }: BillingDetails,
  { state, answeredAt, consultationNumber }: VatIdCheck,
): components["schemas"]["BillingDetails"] {
  const check = { state, answered_at: answeredAt?.toISOString() ?? null, consultation_number: consultationNumber };
  return { ...rest, postal_code, vat_id, vat_id_check: check, buyer_reference };
}
