import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { type BillingRepository, runningOf, type Standing } from "./billing.repository.ts";
import type { Bookkeeping } from "./bookkeeping.ts";
import type { Endings } from "./endings.ts";
import type { InvoicesRepository } from "./invoices.repository.ts";
import { creditNote, unusedOf } from "./quote.ts";

/** What ending a plan that is paid for here gives back. */
export type Settlement = {
  subscriptionId: string;
  planId: string;
  planName: string;
  quantity: number;
  periodEnd: Date;
  /** For the time that is not used: kept for the next invoices. */
  creditedCents: number;
  /** What is then kept for the next invoices in all. */
  balanceCents: number;
};

type Deps = {
  billing: BillingRepository;
  invoices: InvoicesRepository;
  bookkeeping: Bookkeeping;
  endings: Pick<Endings, "stop">;
  clock: Clock;
  isTest: boolean;
};

/** Ends paid plans before their time, and keeps what was paid for the rest for the next invoices. */
export function createSettlements({ billing, invoices, bookkeeping, endings, clock, isTest }: Deps) {
  /** What ending the plan now would give back, once `refundedCents` of it went back in cash. Null where nobody pays here. */
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

  /** Ends the subscription there is, if any. Within a transaction that holds the account. */
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
