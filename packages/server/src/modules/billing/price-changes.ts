import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import type { Mail } from "../mail/mail.ts";
import type { PlanRow } from "../plans/plans.repository.ts";
import { noSuchPlan } from "./billing.errors.ts";
import type { BillingRepository, SubscriptionRow } from "./billing.repository.ts";
import { dollars } from "./bookkeeping.ts";
import { day } from "./quote.ts";

type Deps = {
  db: Database;
  billing: BillingRepository;
  audit: Audit;
  mail: Mail;
  clock: Clock;
  publicUrl: string;
  productName: string;
};
/** How many organizations were notified, and from when the new price applies to them. */
export type Announced = { count: number; from: Date };

const NOTICE_MS = 30 * 86_400_000;

/**
 * Returns a function that moves subscribers of a plan from the price they agreed to the current one. Each is mailed
 * now, and pays the new price from the first period that begins at least 30 days later.
 */
export function createPriceChanges({ db, billing, audit, mail, clock, publicUrl, productName }: Deps) {
  /** Ids of the organizations with a paid subscription to the plan. */
  async function organizationsToTell(plan: PlanRow): Promise<string[]> {
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

  const isTold = (row: SubscriptionRow, { price_usd_cents: price, billing_interval: interval }: PlanRow): boolean =>
    (row.price_cents === price && row.billing_interval === interval && row.next_price_date === null) ||
    (row.next_price_cents === price && row.next_billing_interval === interval);

  async function tell(organizationId: string, plan: PlanRow, price: number, trx: Database): Promise<boolean> {
    const { live } = await billing.lock(organizationId, trx);
    if (!live || live.row.plan_id !== plan.id || live.row.anchor_date === null || isTold(live.row, plan)) return false;
    const from = new Date(clock.now().getTime() + NOTICE_MS);
    await billing.updateSubscription(
      live.row.id,
      { next_price_cents: price, next_billing_interval: plan.billing_interval, next_price_date: from },
      trx,
    );
    const contact = await billing.contact(organizationId, trx);
    if (!contact) return true;
    const before = priceText(live.row.price_cents ?? 0, live.row.billing_interval, live.row.quantity);
    const after = priceText(price, plan.billing_interval, live.row.quantity);
    const text = [
      `The price of your plan ${plan.name} changes.`,
      "",
      `Until now you pay ${before}. From the first period that begins on ${day(from)} or later you pay ${after}.`,
      "You need not do anything to go on. If you do not want to, change or cancel the plan before that:",
      `${publicUrl}/account`,
    ].join("\n");
    const subject = `${productName}: the price of ${plan.name} changes`;
    await mail.send({ kind: "price_change", to: contact.email, subject, text }, trx);
    return true;
  }

  return async (actor: SignedIn, planId: string): Promise<Announced> => {
    const plan = await billing.findPlan(planId);
    if (!plan) throw noSuchPlan();
    const { price_usd_cents: price } = plan;
    if (price === null) throw new AppError(409, "plans.no_price", "The plan has no price to announce.");
    let count = 0;
    for (const organizationId of await organizationsToTell(plan)) {
      const wasTold = await db.transaction().execute(async (trx) => {
        const isThere = await billing.exists(organizationId, trx);
        return isThere && tell(organizationId, plan, price, trx);
      });
      if (wasTold) count++;
    }
    const details = { count, price_usd_cents: price, interval: plan.billing_interval };
    await audit.record({ actor, action: "plans.announce_price", target: planId, details });
    return { count, from: new Date(clock.now().getTime() + NOTICE_MS) };
  };
}

/** Formats the price of `quantity` units, such as `$20.00 a month`. */
export function priceText(cents: number, interval: string, quantity: number): string {
  return `${dollars(cents * quantity)} a ${interval}`;
}
