import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { type BillingRepository, runningOf, type Standing } from "./billing.repository.ts";
import type { Bookkeeping } from "./bookkeeping.ts";
import type { Endings } from "./endings.ts";
import type { InvoicesRepository } from "./invoices.repository.ts";
import { creditNote, unusedOf } from "./quote.ts";

/** A paid plan that ends before its period does, with the credit for its unused time. */
export type Settlement = {
  subscriptionId: string;
  planId: string;
  planName: string;
  quantity: number;
  periodEnd: Date;
  /** The value of the unused time, added to the account's balance. */
  creditedCents: number;
  /** The account's balance after that. */
  balanceCents: number;
};

type Deps = {
  billing: BillingRepository;
  invoices: InvoicesRepository;
  bookkeeping: Bookkeeping;
  endings: Endings;
  clock: Clock;
  isTest: boolean;
};

/** Ends paid plans before their period does, and credits the unused time to the account's balance. */
export function createSettlements({ billing, invoices, bookkeeping, endings, clock, isTest }: Deps) {
  /**
   * What ending the plan now would credit, after `refundedCents` of it are refunded to the card. Null without a plan
   * that is paid for here.
   */
  async function settlementOf(
    { account, live }: Standing,
    refundedCents: number,
    trx: Database,
  ): Promise<Settlement | null> {
    const running = runningOf(live);
    if (!live || !running) return null;
    const isPaid = !running.trialing && !(await billing.hasOpenInvoice(account.organization_id, trx));
    const valueCents = Math.max(0, running.valueCents - refundedCents);
    const creditedCents = isPaid ? unusedOf({ ...running, valueCents }, clock.now()) : 0;
    return {
      subscriptionId: live.row.id,
      planId: live.plan.id,
      planName: live.plan.name,
      quantity: running.quantity,
      periodEnd: running.periodEnd,
      creditedCents,
      balanceCents: account.balance_cents + creditedCents,
    };
  }

  /**
   * Ends the current subscription, if any, and credits its unused time. Needs a transaction that has locked the
   * account.
   */
  async function settle(standing: Standing, refundedCents: number, trx: Database): Promise<Settlement | null> {
    const { account, live } = standing;
    const running = runningOf(live);
    const settlement = await settlementOf(standing, refundedCents, trx);
    if (live) await endings.stop(live, trx);
    if (!settlement || !running || settlement.creditedCents === 0) {
      await billing.touch(account.organization_id, account.balance_cents, trx);
      return settlement;
    }
    const bill = creditNote(running, settlement.creditedCents);
    const invoice = await invoices.create(
      {
        organizationId: account.organization_id,
        kind: "change",
        bill,
        status: "paid",
        subscriptionId: settlement.subscriptionId,
        planId: settlement.planId,
        quantity: settlement.quantity,
        period: { start: clock.now(), end: settlement.periodEnd },
        isTest,
      },
      trx,
    );
    await bookkeeping.carry(account, invoice, bill.carriedCents, trx);
    return settlement;
  }

  return { settlementOf, settle };
}

export type Settlements = ReturnType<typeof createSettlements>;
