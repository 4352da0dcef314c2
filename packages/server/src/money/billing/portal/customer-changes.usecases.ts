import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { hasCode } from "../../../platform/core/errors/index.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { type CustomerPortal, type CustomerRecord, customerDataSchema } from "../../payment-services/index.ts";
import { formatDate } from "../../quotes/index.ts";
import type { BillingDetailsRepository } from "../../taxes/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { PaymentMethodRow } from "../billing-rows.ts";
import type { SaveBillingDetails } from "../details/billing-details.usecases.ts";
import type { PaymentCustomerRow, PaymentCustomersRepository } from "../payments/payment-customers.ts";
import type { PaymentMethodUseCases } from "../payments/payment-methods.usecases.ts";
import { type ChangedPart, findChangedParts, ownDataOf } from "./customer-data.ts";
import { cardsRemovedMail } from "./portal.mails.ts";
import { type DetailPart, findRefusedDetails } from "./refused-details.ts";

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  billingDetailsRepository: BillingDetailsRepository;
  saveBillingDetails: SaveBillingDetails;
  paymentCustomers: PaymentCustomersRepository;
  paymentMethods: PaymentMethodUseCases;
  mail: Mail;
  clock: Clock;
  log: Pick<Logger, "warn">;
  portal: CustomerPortal;
};

/** Changes at the payment service are made by nobody who is signed in here. */
const toAuthor = (organizationId: string) => ({ userId: null, organizationId, credential: null, ip: null });

/** Takes over what people changed at the payment service: cards, which card pays, name, address and email. */
export function createCustomerChanges(deps: Deps) {
  return bind(deps, { read: readCustomer, readOpened: readOpenedCustomers });
}

export type CustomerChanges = ReturnType<typeof createCustomerChanges>;

/**
 * Asks the payment service for a customer and applies what differs. Returns false when the service no longer has it. Throws
 * `payments.pending` without a usable response, and while a purchase is being paid whose tax depends on the address.
 */
async function readCustomer(deps: Deps, reference: string): Promise<boolean> {
  const { db, portal, paymentCustomers } = deps;
  const customer = await paymentCustomers.beginReading(reference);
  if (!customer) return true;
  // A card that is added here meanwhile is not among those that the service returns.
  const known = await listCards(customer, db);
  const found = await portal.find(reference);
  if (!found) return false;
  await db.transaction().execute(async (trx) => {
    if (await paymentCustomers.lockReading(customer, trx)) await applyCards(deps, customer, known, found, trx);
  });
  await db.transaction().execute(async (trx) => {
    if (await paymentCustomers.lockReading(customer, trx)) await applyDetails(deps, customer, found, trx);
  });
  return true;
}

/** Reads the customers whose portal was opened since, in case that a webhook was missed. */
async function readOpenedCustomers(deps: Deps, since: Date): Promise<void> {
  const customers = await deps.db
    .selectFrom("payment_customers")
    .select(["reference", "organization_id"])
    .where("portal_opened_at", ">=", since)
    .orderBy("portal_opened_at")
    .execute();
  for (const { reference, organization_id } of customers) {
    try {
      await readCustomer(deps, reference);
    } catch (error) {
      deps.log.warn({ err: error, organization_id }, "a customer could not be compared with the payment service");
    }
  }
}

/** Returns the cards of a customer that are here, and those that were removed, since these are removed there a little later. */
function listCards(
  { organization_id, driver, reference }: PaymentCustomerRow,
  trx: Database,
): Promise<PaymentMethodRow[]> {
  return trx
    .selectFrom("payment_methods")
    .selectAll()
    .where("organization_id", "=", organization_id)
    .where("driver", "=", driver)
    .where((eb) => eb.fn<boolean>("starts_with", ["reference", eb.val(`${reference}/`)]))
    .execute();
}

async function applyCards(
  deps: Deps,
  customer: PaymentCustomerRow,
  known: readonly PaymentMethodRow[],
  found: CustomerRecord,
  trx: Database,
): Promise<void> {
  const { billingRepository, paymentMethods, paymentCustomers } = deps;
  const { organization_id: organizationId, reference, portal_opened_at, service_default_card } = customer;
  const author = toAuthor(organizationId);
  const rows = new Map((await listCards(customer, trx)).map((row) => [row.reference, row]));
  for (const card of found.cards) {
    const row = rows.get(card.reference);
    if (!row) await paymentMethods.saveCard(author, card, trx);
    else if (row.deleted_at === null) await paymentMethods.updateCard(row, card, trx);
  }
  const there = new Set(found.cards.map((card) => card.reference));
  const gone = known.filter((row) => row.deleted_at === null && !there.has(row.reference));
  for (const { id } of gone) {
    const row = await billingRepository.findPaymentMethod(organizationId, id, trx);
    if (row) await paymentMethods.dropCard(author, row, { isDetached: true }, trx);
  }
  if (gone.length > 0) await warnWithoutCard(deps, organizationId, gone, trx);
  if (found.defaultCard === service_default_card) return;
  const chosen = (await listCards(customer, trx)).find(
    (row) => row.reference === found.defaultCard && row.deleted_at === null,
  );
  // Before the portal was opened the service was never told which card pays here.
  if (chosen && !chosen.is_default && portal_opened_at !== null)
    await paymentMethods.chooseDefault(author, chosen.id, trx);
  await paymentCustomers.save(reference, { service_default_card: found.defaultCard }, trx);
}

/** Tells the billing contact that a plan which will be charged has no card left. */
async function warnWithoutCard(
  { billingRepository, mail }: Deps,
  organizationId: string,
  gone: readonly PaymentMethodRow[],
  trx: Database,
): Promise<void> {
  if (await billingRepository.findDefaultCard(organizationId, trx)) return;
  const { subscription } = await billingRepository.lockState(organizationId, trx);
  const contact = await billingRepository.findContact(organizationId, trx);
  if (!subscription || !contact || subscription.row.anchor_date === null || subscription.row.cancel_at_period_end)
    return;
  const end = subscription.row.current_period_end_date;
  const values = {
    last4: gone[0]?.last4 ?? "",
    plan: subscription.plan.name,
    date: end === null ? null : formatDate(end),
  };
  await mail.send({ template: cardsRemovedMail, values, to: contact.email }, trx);
}

async function applyDetails(
  deps: Deps,
  customer: PaymentCustomerRow,
  { details: found }: CustomerRecord,
  trx: Database,
): Promise<void> {
  const { billingRepository, billingDetailsRepository, paymentCustomers, clock } = deps;
  const { organization_id: organizationId, reference, service_details } = customer;
  if (service_details === null) return;
  const seen = customerDataSchema.parse(service_details);
  const details = await billingDetailsRepository.find(organizationId, trx);
  const contact = await billingRepository.findContact(organizationId, trx);
  const { refused: before } = await findRefusedDetails(organizationId, trx);
  const parts = findChangedParts(found, seen, ownDataOf(details, contact), before);
  const changed = new Set<string>(parts.map(({ part }) => part));
  const kept = Object.entries(before).filter(([part]) => !changed.has(part));
  const refused = Object.fromEntries([...kept, ...(await takeOver(deps, organizationId, parts, trx))]);
  const isRefused = Object.keys(refused).length > 0;
  const values = {
    service_details: JSON.stringify(found),
    refused_details: isRefused ? JSON.stringify(refused) : null,
    refused_at: isRefused ? clock.now() : null,
  };
  await paymentCustomers.save(reference, values, trx);
}

/** Takes over what fits of the parts that were changed. Returns those that do not fit, with why not. */
async function takeOver(
  { billingRepository, saveBillingDetails }: Deps,
  organizationId: string,
  parts: readonly ChangedPart[],
  trx: Database,
): Promise<[DetailPart, string][]> {
  const refused = parts.flatMap((one): [DetailPart, string][] => ("problem" in one ? [[one.part, one.problem]] : []));
  let valid = parts.flatMap((one) => ("change" in one && Object.keys(one.change).length > 0 ? [one] : []));
  while (valid.length > 0) {
    try {
      const state = await billingRepository.lockState(organizationId, trx);
      const change = Object.assign({}, ...valid.map((one) => one.change));
      await saveBillingDetails({ state, change, author: toAuthor(organizationId) }, trx);
      return refused;
    } catch (error) {
      if (!hasCode(error, "invalid_request")) throw error;
      // Nothing was written yet. An address may not fit the VAT id; what is left is tried without it.
      const hasAddress = valid.some(({ part }) => part === "address");
      const unfit = valid.filter(({ part }) => !hasAddress || part === "address");
      refused.push(...unfit.map(({ part }): [DetailPart, string] => [part, lowerFirst(error.message)]));
      valid = valid.filter((one) => !unfit.includes(one));
    }
  }
  return refused;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "");
