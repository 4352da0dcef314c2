import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { AppError } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import type { Mail } from "../mail/mail.ts";
import { noSubscription, nothingToResume } from "./billing.errors.ts";
import type { BillingRepository, Standing } from "./billing.repository.ts";
import type { InvoiceRow } from "./invoices.repository.ts";
import type { Buyer } from "./pricing.ts";
import { NOTHING_PENDING } from "./terms.ts";

type Deps = {
  db: Database;
  billing: BillingRepository;
  audit: Audit;
  mail: Mail;
  clock: Clock;
  publicUrl: string;
  productName: string;
  closeBooks(organizationId: string, trx: Database): Promise<void>;
  forgetPlan(organizationId: string): void;
};

/** Cancels and resumes subscriptions, and ends them when they are canceled or not paid. */
export function createEndings(deps: Deps) {
  const { db, billing, audit, mail, clock, publicUrl, productName, closeBooks, forgetPlan } = deps;
  type Live = NonNullable<Standing["live"]>;

  /** Ends a subscription now. Its open invoices become uncollectible. */
  async function stop({ row, plan }: Live, trx: Database): Promise<void> {
    const now = clock.now();
    await billing.updateSubscription(row.id, { status: "canceled", ended_at: now }, trx);
    await trx
      .updateTable("invoices")
      .set({ status: "uncollectible", next_attempt_at: null })
      .where("subscription_id", "=", row.id)
      .where("status", "=", "open")
      .execute();
    if (row.anchor_date === null) await endMarketplaceAccounts(row.organization_id, plan.id, trx);
  }

  /** Ends a subscription now and mails the organization that it is on the free plan. */
  async function end(live: Live, trx: Database): Promise<void> {
    const { row, plan } = live;
    await stop(live, trx);
    const contact = await billing.contact(row.organization_id, trx);
    if (!contact) return;
    const subject = `${productName}: your plan ${plan.name} has ended`;
    const text = `Your plan ${plan.name} has ended, and you are on the free plan now. To start again: ${publicUrl}/pricing`;
    await mail.send({ kind: "subscription_ended", to: contact.email, subject, text }, trx);
  }

  /** Cancels at the end of the period, or at once when the subscription was granted or is past due. */
  async function cancelLater(buyer: Buyer, { account, live }: Standing, trx: Database): Promise<void> {
    if (!live) throw noSubscription();
    const { id, anchor_date, status } = live.row;
    if (anchor_date === null || status === "past_due") await end(live, trx);
    else await billing.updateSubscription(id, { cancel_at_period_end: true, ...NOTHING_PENDING }, trx);
    await billing.touch(buyer.organizationId, account.balance_cents, trx);
    await audit.record({ ...buyer, action: "subscription.cancel", target: id }, trx);
  }

  /** Withdraws a scheduled cancellation or change of plan. Throws `errorIfNone` when neither is scheduled. */
  async function takeBack(
    buyer: Buyer,
    { account, live }: Standing,
    otherwise: AppError,
    trx: Database,
  ): Promise<void> {
    if (!live) throw noSubscription();
    const { id, cancel_at_period_end, pending_plan_id } = live.row;
    if (!cancel_at_period_end && pending_plan_id === null) throw otherwise;
    await billing.updateSubscription(id, { cancel_at_period_end: false, ...NOTHING_PENDING }, trx);
    await billing.touch(buyer.organizationId, account.balance_cents, trx);
    await audit.record({ ...buyer, action: "subscription.resume", target: id }, trx);
  }

  /** Marks an open invoice as uncollectible if its subscription has ended. Returns whether it did. */
  async function writeOff({ id, subscription_id }: InvoiceRow, trx: Database): Promise<boolean> {
    const running = await trx
      .selectFrom("subscriptions")
      .select("id")
      .where("id", "=", subscription_id)
      .where("ended_at", "is", null)
      .executeTakeFirst();
    if (running) return false;
    await trx
      .updateTable("invoices")
      .set({ status: "uncollectible", next_attempt_at: null })
      .where("id", "=", id)
      .execute();
    return true;
  }

  async function locked(buyer: Buyer, act: (standing: Standing, trx: Database) => Promise<void>): Promise<void> {
    await db.transaction().execute(async (trx) => act(await billing.lock(buyer.organizationId, trx), trx));
    forgetPlan(buyer.organizationId);
  }

  return {
    end,
    stop,
    writeOff,
    cancelLater,
    takeBack,
    /** Ends the subscription and open invoices of an organization and forfeits its balances, before it is deleted. */
    async endOrganization(organizationId: string, trx: Database): Promise<void> {
      await billing.lockAccount(organizationId, trx);
      const now = clock.now();
      await trx
        .updateTable("subscriptions")
        .set({ status: "canceled", ended_at: now })
        .where("organization_id", "=", organizationId)
        .where("ended_at", "is", null)
        .execute();
      await trx
        .updateTable("invoices")
        .set({ status: "uncollectible", next_attempt_at: null })
        .where("organization_id", "=", organizationId)
        .where("status", "=", "open")
        .execute();
      await closeBooks(organizationId, trx);
    },

    cancel: (buyer: Buyer) => locked(buyer, (standing, trx) => cancelLater(buyer, standing, trx)),
    resume: (buyer: Buyer) => locked(buyer, (standing, trx) => takeBack(buyer, standing, nothingToResume(), trx)),
  };
}

async function endMarketplaceAccounts(organizationId: string, planId: string, trx: Database): Promise<void> {
  await trx
    .updateTable("marketplace_accounts")
    .set({ status: "canceled" })
    .where("organization_id", "=", organizationId)
    .where("product", "=", planId)
    .execute();
}

export type Endings = ReturnType<typeof createEndings>;
