import type { components } from "@feather/openapi/schema";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Handlers } from "../../../platform/core/http/handlers.ts";
import { findOrganizationRate } from "../../currencies/index.ts";
import type { BillingDetails, BillingDetailsRepository, VatIdCheck } from "../../taxes/index.ts";
import type { UpdateBillingDetails } from "./billing-details.usecases.ts";

type Billing = {
  billingDetailsRepository: BillingDetailsRepository;
  updateBillingDetails: UpdateBillingDetails;
  taxes: { findCheck(organizationId: string, details: BillingDetails): Promise<VatIdCheck> };
};

/** Routes of the details that an organization's invoices are written to, and of the currency in which it pays. */
export function billingDetailsRoutes({ db, billing }: { db: Database; billing: Billing }): Handlers {
  const { billingDetailsRepository, updateBillingDetails, taxes } = billing;
  const toDto = async (organizationId: string, details: BillingDetails, currency: string) =>
    toBillingDetailsDto(details, await taxes.findCheck(organizationId, details), currency);
  return {
    "organization.billingDetails.get": async ({ actor: { organizationId } }) => {
      const [details, { currency }] = await Promise.all([
        billingDetailsRepository.find(organizationId),
        findOrganizationRate(organizationId, db),
      ]);
      return toDto(organizationId, details, currency);
    },
    "organization.billingDetails.update": async ({ actor, body }) => {
      const { vat_id: vatId, postal_code: postalCode, buyer_reference: buyerReference, currency, ...rest } = body;
      const change = { ...rest, vatId, postalCode, buyerReference };
      const updated = await updateBillingDetails(actor, change, currency);
      return toDto(actor.organizationId, updated.details, updated.currency);
    },
  };
}

function toBillingDetailsDto(
  { vatId: vat_id, postalCode: postal_code, buyerReference: buyer_reference, ...rest }: BillingDetails,
  { state, answeredAt, consultationNumber }: VatIdCheck,
  currency: string,
): components["schemas"]["BillingDetails"] {
  const check = { state, answered_at: answeredAt?.toISOString() ?? null, consultation_number: consultationNumber };
  return { ...rest, postal_code, vat_id, vat_id_check: check, buyer_reference, currency };
}
