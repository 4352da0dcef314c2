import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { CustomerPortal } from "../../payment-services/index.ts";
import type { BillingDetailsRepository } from "../../taxes/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { Buyer } from "../buyer.ts";
import type { PaymentCustomersRepository } from "../payments/payment-customers.ts";
import type { CustomerChanges } from "./customer-changes.usecases.ts";
import { ownDataOf } from "./customer-data.ts";

type Deps = {
  db: Database;
  clock: Clock;
  billingRepository: BillingRepository;
  billingDetailsRepository: BillingDetailsRepository;
  paymentCustomers: PaymentCustomersRepository;
  /** Null where the operator has not switched the portal on. */
  portal: CustomerPortal | null;
  changes: CustomerChanges | null;
  refuseWhilePaymentsOff(): void;
};

/** The page of the payment service where an organization changes cards and addresses. */
export function createServicePortal(deps: Deps) {
  return bind(deps, { open: openPortal });
}

/**
 * Returns the address of the portal for an organization, whose customer there has the same details and default card as here. Throws
 * `payments.portal_off` where it is not switched on, and `payments.portal_unavailable` where the service refuses it.
 */
async function openPortal(deps: Deps, { organizationId }: Buyer): Promise<string> {
  const { portal, changes, paymentCustomers, refuseWhilePaymentsOff } = deps;
  refuseWhilePaymentsOff();
  if (!portal || !changes) throw errors.payments.portalOff();
  const known = await paymentCustomers.find(organizationId);
  // What was changed there and not heard of yet would be lost if ours were written first.
  if (known !== null && (await changes.read(known)) && (await saveOwnData(deps, portal, organizationId, known)))
    return portal.open(known);
  const created = await paymentCustomers.create(organizationId, known);
  if (!(await saveOwnData(deps, portal, organizationId, created))) throw errors.payments.pending();
  return portal.open(created);
}

/** Makes a customer at the service the same as here. Returns false when the service no longer has it. */
async function saveOwnData(
  { db, clock, billingRepository, billingDetailsRepository, paymentCustomers }: Deps,
  portal: CustomerPortal,
  organizationId: string,
  customer: string,
): Promise<boolean> {
  const [details, contact, card] = await Promise.all([
    billingDetailsRepository.find(organizationId),
    billingRepository.findContact(organizationId),
    billingRepository.findDefaultCard(organizationId),
  ]);
  // A card of an earlier customer is unknown to this one.
  const defaultCard = card?.reference.startsWith(`${customer}/`) ? card.reference : null;
  const saved = await portal.save(customer, { details: ownDataOf(details, contact), defaultCard });
  if (!saved) return false;
  // A reading that began before would find a difference that is none.
  await paymentCustomers.beginReading(customer);
  const values = { service_details: JSON.stringify(saved.details), service_default_card: saved.defaultCard };
  await paymentCustomers.save(customer, { ...values, portal_opened_at: clock.now() }, db);
  return true;
}
