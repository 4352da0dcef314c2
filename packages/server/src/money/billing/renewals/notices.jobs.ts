import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { formatDate } from "../../quotes/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { BillingState, PaymentMethodRow } from "../billing-rows.ts";
import { agreedSelection } from "../plan-selection.ts";
import { formatPrice } from "../subscriptions/price-changes.ts";
import { cardExpiringMail, renewalAheadMail, taxAddressMail, trialEndingMail } from "./renewals.mails.ts";

type CurrentSubscription = NonNullable<BillingState["subscription"]>;
type NoticeKind = "trial_end" | "yearly_renewal" | "card_expiry" | "tax_address";
type Notice = { kind: NoticeKind; about: string };
type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  mail: Mail;
  clock: Clock;
  log: Pick<Logger, "error">;
  /** The only organization whose work is done; all if left out. */
  onlyOrganization?: string;
};

/** How long before the end of a trial and before a yearly renewal the buyer is notified. */
const NOTICE_LEAD_MS = { trial_end: 3 * DAY_MS, yearly_renewal: 7 * DAY_MS } as const;
const MAX_NOTICE_LEAD_MS = NOTICE_LEAD_MS.yearly_renewal;
const CARD_NOTICE_LEAD_MS = 30 * DAY_MS;

/**
 * Creates the job that mails notices before a charge or the expiry of a card, once each. No charge is made without its
 * notice.
 */
export function createNotices(deps: Deps) {
  return bind(deps, {
    run: sendNoticesToAll,
    canCharge,
    askForTaxAddress,
  });
}

export type Notices = ReturnType<typeof createNotices>;

/** Returns the charge at the end of this period, if it needs a notice; else null. */
function findUpcomingCharge({
  row,
}: CurrentSubscription): { kind: keyof typeof NOTICE_LEAD_MS; about: string; chargeDate: Date } | null {
  const chargeDate = row.current_period_end_date;
  if (chargeDate === null || row.anchor_date === null || row.cancel_at_period_end || row.status === "past_due")
    return null;
  const about = chargeDate.toISOString();
  if (row.status === "trialing") return { kind: "trial_end", about, chargeDate };
  return row.billing_interval === "year" ? { kind: "yearly_renewal", about, chargeDate } : null;
}

/** Records a notice. Returns false when it was sent before. */
async function recordNotice(
  deps: Deps,
  subscriptionId: string,
  { kind, about }: Notice,
  trx: Database,
): Promise<boolean> {
  const { clock } = deps;
  const inserted = await trx
    .insertInto("billing_notices")
    .values({ subscription_id: subscriptionId, kind, about, sent_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

function formatAgreedPrice(subscription: CurrentSubscription): string {
  const { priceCents, interval, quantity } = agreedSelection(subscription);
  return formatPrice(priceCents, interval, quantity, subscription.rate.currency);
}

async function notifyOfCharge(deps: Deps, subscription: CurrentSubscription, trx: Database): Promise<void> {
  const { billingRepository, mail } = deps;
  const charge = findUpcomingCharge(subscription);
  if (!charge || !(await recordNotice(deps, subscription.row.id, charge, trx))) return;
  const contact = await billingRepository.findContact(subscription.row.organization_id, trx);
  if (!contact) return;
  const card = await billingRepository.findDefaultCard(subscription.row.organization_id, trx);
  const values = {
    plan: subscription.plan.name,
    date: formatDate(charge.chargeDate),
    price: formatAgreedPrice(subscription),
    last4: card?.last4 ?? null,
  };
  const template = charge.kind === "trial_end" ? trialEndingMail : renewalAheadMail;
  await mail.send({ template, values, to: contact.email }, trx);
}

async function notifyOfCardExpiry(
  deps: Deps,
  subscription: CurrentSubscription,
  card: PaymentMethodRow,
  trx: Database,
): Promise<void> {
  const { billingRepository, clock, mail } = deps;
  const expiresAtMs = cardExpiryMs(card);
  const about = `${card.id} ${card.exp_month}/${card.exp_year}`;
  const now = clock.now().getTime();
  if (subscription.row.cancel_at_period_end || expiresAtMs - now > CARD_NOTICE_LEAD_MS || expiresAtMs <= now) return;
  if (!(await recordNotice(deps, subscription.row.id, { kind: "card_expiry", about }, trx))) return;
  const contact = await billingRepository.findContact(subscription.row.organization_id, trx);
  if (!contact) return;
  const expiry = `${card.exp_month}/${card.exp_year}`;
  const values = { last4: card.last4, plan: subscription.plan.name, expiry };
  await mail.send({ template: cardExpiringMail, values, to: contact.email }, trx);
}

async function sendDueNotices(deps: Deps, organizationId: string, trx: Database): Promise<void> {
  const { billingRepository, clock } = deps;
  if (!(await billingRepository.keepExisting(organizationId, trx))) return;
  const { subscription } = await billingRepository.lockState(organizationId, trx);
  if (!subscription || subscription.row.anchor_date === null) return;
  const charge = findUpcomingCharge(subscription);
  if (charge && charge.chargeDate.getTime() - clock.now().getTime() <= NOTICE_LEAD_MS[charge.kind])
    await notifyOfCharge(deps, subscription, trx);
  const card = await billingRepository.findDefaultCard(organizationId, trx);
  if (card) await notifyOfCardExpiry(deps, subscription, card, trx);
}

/** Returns the ids of organizations whose trial, yearly period or default card ends soon. */
async function listCandidateOrganizations(deps: Deps): Promise<string[]> {
  const { db, clock, onlyOrganization = null } = deps;
  const now = clock.now();
  const leadEnd = new Date(now.getTime() + MAX_NOTICE_LEAD_MS);
  const cardLeadEnd = new Date(now.getTime() + CARD_NOTICE_LEAD_MS);
  const rows = await db
    .selectFrom("subscriptions")
    .leftJoin("payment_methods", (join) =>
      join
        .onRef("payment_methods.organization_id", "=", "subscriptions.organization_id")
        .on("payment_methods.is_default", "=", true)
        .on("payment_methods.deleted_at", "is", null),
    )
    .select("subscriptions.organization_id")
    .where("subscriptions.ended_at", "is", null)
    .where("anchor_date", "is not", null)
    .$if(onlyOrganization !== null, (query) => query.where("subscriptions.organization_id", "=", onlyOrganization))
    .where((eb) =>
      eb.or([
        eb.and([
          eb("current_period_end_date", "<=", leadEnd),
          eb.or([eb("status", "=", "trialing"), eb("billing_interval", "=", "year")]),
        ]),
        eb(
          eb("exp_year", "*", eb.lit(12)),
          "<=",
          eb(eb.val(cardLeadEnd.getUTCFullYear() * 12 + cardLeadEnd.getUTCMonth() + 1), "-", eb.ref("exp_month")),
        ),
      ]),
    )
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}

/** Sends the notices that are due. */
async function sendNoticesToAll(deps: Deps): Promise<void> {
  const { db, log } = deps;
  for (const organizationId of await listCandidateOrganizations(deps)) {
    try {
      await db.transaction().execute((trx) => sendDueNotices(deps, organizationId, trx));
    } catch (error) {
      log.error({ err: error, organization_id: organizationId }, "a notice could not be sent");
    }
  }
}

/**
 * Returns whether the charge at the end of the period may be made: it needs no notice, or the notice was sent in time. A
 * missing notice is sent now, and the charge then waits for the full notice time.
 */
async function canCharge(deps: Deps, subscription: CurrentSubscription, trx: Database): Promise<boolean> {
  const { clock } = deps;
  const charge = findUpcomingCharge(subscription);
  if (!charge) return true;
  await notifyOfCharge(deps, subscription, trx);
  const { sent_at } = await trx
    .selectFrom("billing_notices")
    .select("sent_at")
    .where("subscription_id", "=", subscription.row.id)
    .where("kind", "=", charge.kind)
    .where("about", "=", charge.about)
    .executeTakeFirstOrThrow();
  const wasSentInTime = sent_at < charge.chargeDate;
  return wasSentInTime || sent_at.getTime() + NOTICE_LEAD_MS[charge.kind] <= clock.now().getTime();
}

/** Asks the billing contact, once for each period, for the address without which the plan cannot be renewed. */
async function askForTaxAddress(deps: Deps, organizationId: string): Promise<void> {
  const { db, billingRepository, mail, log } = deps;
  await db.transaction().execute(async (trx) => {
    const { subscription } = await billingRepository.lockState(organizationId, trx);
    const end = subscription?.row.current_period_end_date ?? null;
    if (!subscription || end === null) return;
    const notice: Notice = { kind: "tax_address", about: end.toISOString() };
    if (!(await recordNotice(deps, subscription.row.id, notice, trx))) return;
    log.error(
      { organization_id: organizationId },
      "a plan is not renewed: its tax needs an address in the billing details",
    );
    const contact = await billingRepository.findContact(organizationId, trx);
    if (!contact) return;
    const values = { plan: subscription.plan.name, date: formatDate(end) };
    await mail.send({ template: taxAddressMail, values, to: contact.email }, trx);
  });
}

/** Returns when a card expires, in milliseconds since 1970: at the end of its month. */
function cardExpiryMs({ exp_month, exp_year }: PaymentMethodRow): number {
  return Date.UTC(exp_year, exp_month, 1);
}
