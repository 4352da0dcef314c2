import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { findRate, formatMoney } from "../../currencies/index.ts";
import { type BillingDetails, type BillingDetailsRepository, parseVatId } from "../../taxes/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { BillingState } from "../billing-rows.ts";

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

/** The details, and the currency in which the organization pays. */
type Updated = { details: BillingDetails; currency: string };

/**
 * Returns a function that changes an organization's billing details and its currency. Throws `invalid_request` for a VAT id that does
 * not have the form of its country and for a currency that is not switched on, `payments.pending` while a purchase is being paid,
 * because its tax was calculated before, and `currencies.fixed` where amounts in the present currency are left.
 */
export function createUpdateBillingDetails(deps: Deps) {
  const { db, billingRepository } = deps;
  return async (actor: SignedInActor, change: BillingDetailsChange, currency?: string): Promise<Updated> => {
    return db.transaction().execute(async (trx) => {
      const state = await billingRepository.lockState(actor.organizationId, trx);
      return saveBillingDetails(deps, { state, change, currency, author: { actor } }, trx);
    });
  };
}

/** Returns a function that changes the billing details of a locked account, with the same errors. */
export function createSaveBillingDetails(deps: Deps) {
  return (request: SaveRequest, trx: Database): Promise<Updated> => saveBillingDetails(deps, request, trx);
}

type SaveRequest = {
  state: BillingState;
  change: BillingDetailsChange;
  currency?: string | undefined;
  author: { actor: SignedInActor } | { userId: string | null; organizationId: string };
};

async function saveBillingDetails(
  deps: Deps,
  { state, change, currency, author }: SaveRequest,
  trx: Database,
): Promise<Updated> {
  const { billingRepository, billingDetailsRepository, requestVatIdCheck, audit, clock } = deps;
  const { organization_id: organizationId } = state.account;
  if (await billingRepository.hasPendingPurchase(organizationId, trx)) throw errors.payments.pending();
  const details = applyChange(await billingDetailsRepository.find(organizationId, trx), change);
  const now = clock.now();
  await billingDetailsRepository.save(organizationId, details, now, trx);
  await requestVatIdCheck(organizationId, details, { now, isSavedAgain: change.vatId !== undefined }, trx);
  const next = currency ?? state.rate.currency;
  if (next !== state.rate.currency) await changeCurrency(deps, state, next, trx);
  const record = { name: details.name, country: details.country, vat_id: details.vatId, currency: next };
  const action = "organization.billing_details";
  await audit.record({ ...author, action, target: organizationId, details: record }, trx);
  return { details, currency: next };
}

/** Changes an organization's billing details and its currency. */
export type UpdateBillingDetails = ReturnType<typeof createUpdateBillingDetails>;

/** Changes the billing details of a locked account. */
export type SaveBillingDetails = ReturnType<typeof createSaveBillingDetails>;

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

/** Changes the currency of a locked account. What was quoted before in another one cannot be bought any more. */
async function changeCurrency(
  { billingRepository }: Deps,
  { account, rate, subscription }: BillingState,
  currency: string,
  trx: Database,
): Promise<void> {
  if (!(await findRate(currency, trx)))
    throw errors.invalidRequest(`currency is not valid: ${currency} is not switched on here.`, { param: "currency" });
  const refuse = (obstacle: string, remedy: string) =>
    errors.currencies.fixed({ currency: rate.currency, obstacle, remedy }, { param: "currency" });
  if (subscription && subscription.row.anchor_date !== null)
    throw refuse("a paid plan", "Cancel the plan; the currency can be changed when it has ended.");
  if (await hasUnsettled(account.organization_id, trx))
    throw refuse("an open invoice or a payment in progress", "Pay it first.");
  if (account.balance_cents > 0)
    throw refuse(
      `a balance of ${formatMoney(account.balance_cents, rate.currency)} for the next invoices`,
      "Ask whoever runs this server.",
    );
  await trx
    .updateTable("billing_accounts")
    .set({ currency })
    .where("organization_id", "=", account.organization_id)
    .execute();
  await billingRepository.bumpVersion(account.organization_id, account.balance_cents, trx);
}

/** Returns whether the organization has an open invoice or a payment in progress. */
async function hasUnsettled(organizationId: string, trx: Database): Promise<boolean> {
  const invoice = trx.selectFrom("invoices").select("id").where("organization_id", "=", organizationId);
  const payment = trx.selectFrom("payments").select("id").where("organization_id", "=", organizationId);
  const rows = await invoice
    .where("status", "=", "open")
    .unionAll(payment.where("status", "in", ["pending", "requires_action"]))
    .execute();
  return rows.length > 0;
}
