import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { formatMoney } from "../../currencies/index.ts";
import { type PlanRow, priceIn } from "../../plans/index.ts";
import { formatDate } from "../../quotes/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { SubscriptionRow } from "../billing-rows.ts";
import { priceChangeMail } from "./subscriptions.mails.ts";

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  audit: Audit;
  mail: Mail;
  clock: Clock;
};
/** The number of notified organizations, and the time from which the new price applies to them. */
export type PriceAnnouncement = { count: number; effectiveFrom: Date };

const PRICE_NOTICE_MS = 30 * DAY_MS;

/**
 * Returns a function that moves subscribers of a plan from the price they agreed to the current price. Each gets a mail
 * now, and pays the new price from the first period that begins at least 30 days later.
 */
export function createAnnouncePrice({ db, billingRepository, audit, mail, clock }: Deps) {
  /** Returns the ids of the organizations with a paid subscription to the plan. */
  async function listSubscribedOrganizations(plan: PlanRow): Promise<string[]> {
    const rows = await db
      .selectFrom("subscriptions")
      .select("organization_id")
      .where("plan_id", "=", plan.id)
      .where("ended_at", "is", null)
      .where("anchor_date", "is not", null)
      .orderBy("organization_id")
      .execute();
    return rows.map(({ organization_id }) => organization_id);
  }

  const isAnnounced = (row: SubscriptionRow, { billing_interval: interval }: PlanRow, price: number): boolean =>
    (row.price_cents === price && row.billing_interval === interval && row.next_price_date === null) ||
    (row.next_price_cents === price && row.next_billing_interval === interval);

  async function announceTo(organizationId: string, plan: PlanRow, trx: Database): Promise<boolean> {
    const { subscription, rate } = await billingRepository.lockState(organizationId, trx);
    const price = priceIn(plan, rate);
    if (
      !subscription ||
      price === null ||
      subscription.row.plan_id !== plan.id ||
      subscription.row.anchor_date === null ||
      isAnnounced(subscription.row, plan, price)
    )
      return false;
    const from = new Date(clock.now().getTime() + PRICE_NOTICE_MS);
    await billingRepository.updateSubscription(
      subscription.row.id,
      { next_price_cents: price, next_billing_interval: plan.billing_interval, next_price_date: from },
      trx,
    );
    const contact = await billingRepository.findContact(organizationId, trx);
    if (!contact) return true;
    const oldPrice = formatPrice(
      subscription.row.price_cents ?? 0,
      subscription.row.billing_interval,
      subscription.row.quantity,
      rate.currency,
    );
    const newPrice = formatPrice(price, plan.billing_interval, subscription.row.quantity, rate.currency);
    const values = { plan: plan.name, old_price: oldPrice, new_price: newPrice, from: formatDate(from) };
    await mail.send({ template: priceChangeMail, values, to: contact.email }, trx);
    return true;
  }

  return async (actor: SignedInActor, planId: string): Promise<PriceAnnouncement> => {
    const plan = await billingRepository.findPlan(planId);
    if (!plan) throw errors.plans.notFound();
    const { price_usd_cents: price } = plan;
    if (price === null) throw errors.plans.noPrice();
    let count = 0;
    for (const organizationId of await listSubscribedOrganizations(plan)) {
      const wasAnnounced = await db.transaction().execute(async (trx) => {
        const organizationExists = await billingRepository.keepExisting(organizationId, trx);
        return organizationExists && announceTo(organizationId, plan, trx);
      });
      if (wasAnnounced) count++;
    }
    const details = { count, price_usd_cents: price, interval: plan.billing_interval };
    await audit.record({ actor, action: "plans.announce_price", target: planId, details });
    return { count, effectiveFrom: new Date(clock.now().getTime() + PRICE_NOTICE_MS) };
  };
}

/** Formats the price of `quantity` units, such as `$20.00 a month`. */
export function formatPrice(cents: number, interval: string, quantity: number, currency: string): string {
  return `${formatMoney(cents * quantity, currency)} a ${interval}`;
}
