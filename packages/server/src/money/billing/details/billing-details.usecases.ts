import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import { parseVatId } from "../vat/vat-id.ts";
import type { BillingDetails, BillingDetailsRepository } from "./billing-details.repository.ts";

/** The details to change; those that are undefined stay. */
export type BillingDetailsChange = { [K in keyof BillingDetails]?: BillingDetails[K] | undefined };

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  billingDetailsRepository: BillingDetailsRepository;
  /** Has VIES asked about the VAT id, if that matters. */
  requestVatIdCheck(
    organizationId: string,
    details: BillingDetails,
    request: { now: Date; isSavedAgain: boolean },
    trx: Database,
  ): Promise<void>;
  audit: Audit;
  clock: Clock;
};

/**
 * Returns a function that changes an organization's billing details. Throws `invalid_request` for a VAT id that does not have
 * the form of its country, and `payments.pending` while a purchase is being paid, because its tax was calculated before.
 */
export function createUpdateBillingDetails(deps: Deps) {
  const { db, billingRepository, billingDetailsRepository, requestVatIdCheck, audit, clock } = deps;
  return async (actor: SignedInActor, change: BillingDetailsChange): Promise<BillingDetails> => {
    const { organizationId } = actor;
    return db.transaction().execute(async (trx) => {
      await billingRepository.lockAccount(organizationId, trx);
      if (await billingRepository.hasPendingPurchase(organizationId, trx)) throw errors.payments.pending();
      const details = applyChange(await billingDetailsRepository.find(organizationId, trx), change);
      const now = clock.now();
      await billingDetailsRepository.save(organizationId, details, now, trx);
      await requestVatIdCheck(organizationId, details, { now, isSavedAgain: change.vatId !== undefined }, trx);
      const record = { name: details.name, country: details.country, vat_id: details.vatId };
      const action = "organization.billing_details";
      await audit.record({ actor, action, target: organizationId, details: record }, trx);
      return details;
    });
  };
}

/** Changes an organization's billing details. */
export type UpdateBillingDetails = ReturnType<typeof createUpdateBillingDetails>;

/** Returns the changed details, with empty texts as null and the VAT id in its usual form. */
function applyChange(before: BillingDetails, change: BillingDetailsChange): BillingDetails {
  const next = <K extends keyof BillingDetails>(name: K) =>
    change[name] === undefined ? before[name] : change[name]?.trim() || null;
  const country = next("country");
  const details = {
    name: next("name"),
    address: next("address"),
    postalCode: next("postalCode"),
    city: next("city"),
    country,
    vatId: checkVatId(next("vatId"), country),
    buyerReference: next("buyerReference"),
    email: next("email"),
  };
  checkReference(details);
  return details;
}

/** An invoice with a reference is sent to an authority as XRechnung, which lacks nothing of these. */
function checkReference({ buyerReference, postalCode: postal_code, city, country }: BillingDetails): void {
  if (buyerReference === null) return;
  const [missing] = Object.entries({ postal_code, city, country }).filter(([, value]) => value === null);
  if (missing) throw errors.invalidRequest(`${missing[0]} is needed beside a buyer reference.`, { param: missing[0] });
}

function checkVatId(vatId: string | null, country: string | null): string | null {
  if (vatId === null) return null;
  if (country === null) throw errors.invalidRequest("country is needed beside a VAT id.", { param: "country" });
  const parsed = parseVatId(vatId, country);
  if ("problem" in parsed)
    throw errors.invalidRequest(`vat_id is not valid: it ${parsed.problem}.`, { param: "vat_id" });
  return parsed.vatId;
}
