import type { components } from "@feather/openapi/schema";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Handlers } from "../../../platform/core/http/handlers.ts";
import { findOrganizationRate } from "../../currencies/index.ts";
import type { BillingDetails, BillingDetailsRepository } from "./billing-details.repository.ts";
import type { UpdateBillingDetails } from "./billing-details.usecases.ts";

type Billing = {
  billingDetailsRepository: BillingDetailsRepository;
  updateBillingDetails: UpdateBillingDetails;
};

/** Routes of the details that an organization's invoices are written to, and of the currency in which it pays. */
export function billingDetailsRoutes({ db, billing }: { db: Database; billing: Billing }): Handlers {
  const { billingDetailsRepository, updateBillingDetails } = billing;
  return {
    "organization.billingDetails.get": async ({ actor: { organizationId } }) => {
      const [details, { currency }] = await Promise.all([
        billingDetailsRepository.find(organizationId),
        findOrganizationRate(organizationId, db),
      ]);
      return toBillingDetailsDto(details, currency);
    },
    "organization.billingDetails.update": async ({ actor, body }) => {
      const { vat_id: vatId, currency, ...change } = body;
      const updated = await updateBillingDetails(actor, { ...change, vatId }, currency);
      return toBillingDetailsDto(updated.details, updated.currency);
    },
  };
}

function toBillingDetailsDto(
  { vatId, ...rest }: BillingDetails,
  currency: string,
): components["schemas"]["BillingDetails"] {
  return { ...rest, vat_id: vatId, currency };
}
