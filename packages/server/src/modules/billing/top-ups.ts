import type { Database } from "../../db/connect.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit, Origin } from "../audit/audit.ts";
import { paymentMethodRequired, paymentPending } from "./billing.errors.ts";
import type { BillingRepository } from "./billing.repository.ts";
import type { Bookkeeping } from "./bookkeeping.ts";
import type { InvoicesRepository } from "./invoices.repository.ts";
import type { Effects, PaymentDesk, PaymentRow } from "./payment-desk.ts";
import type { Buyer } from "./pricing.ts";
import { type Bill, plainBill } from "./quote.ts";

/** A priced top-up, stored as JSON with its payment until that succeeds. Keep the names of the fields. */
type TopUp = {
  userId: string;
  /** Missing in top-ups that were stored before it was recorded. */
  origin?: Origin;
  creditCents: number;
  bill: Bill;
};

type EffectsDeps = {
  billing: BillingRepository;
  invoices: InvoicesRepository;
  bookkeeping: Bookkeeping;
  audit: Audit;
  isTest: boolean;
};

/** Handles payments of top-ups: a success creates the invoice and grants the credits. */
export function createTopUpEffects({ billing, invoices, bookkeeping, audit, isTest }: EffectsDeps): Effects {
  return {
    async succeeded({ id, organization_id, amount_cents, purchase }, trx) {
      const topUp = purchase as unknown as TopUp;
      const { userId, origin, creditCents } = topUp;
      const isThere = await billing.exists(organization_id, trx);
      const invoice = isThere
        ? await invoices.create(
            {
              organizationId: organization_id,
              kind: "top_up",
              bill: topUp.bill,
              status: "paid",
              creditCents,
              isTest,
            },
            trx,
          )
        : null;
      if (!invoice) {
        await trx
          .updateTable("payments")
          .set({ outcome: "given_back", refund_target_cents: amount_cents })
          .where("id", "=", id)
          .execute();
        return;
      }
      const outcome = await bookkeeping.paid(invoice, trx);
      await trx.updateTable("payments").set({ invoice_id: invoice.id, outcome }).where("id", "=", id).execute();
      const details = { invoice: invoice.number, amount_usd_cents: creditCents };
      await audit.record(
        { userId, organizationId: organization_id, ...origin, action: "credits.top_up", target: invoice.id, details },
        trx,
      );
    },
    async failed() {},
    async waiting() {},
  };
}

type Deps = {
  db: Database;
  billing: BillingRepository;
  desk: PaymentDesk;
  ids: Ids;
  taxPercent: number;
  refuseWhileOff(): void;
};

/** Returns a function that buys credits. */
export function createTopUps({ db, billing, desk, ids, taxPercent, refuseWhileOff }: Deps) {
  async function begin(buyer: Buyer, cents: number, call: string | undefined): Promise<PaymentRow> {
    return db.transaction().execute(async (trx) => {
      const { organizationId, userId, credential, ip } = buyer;
      await billing.lockAccount(organizationId, trx);
      const card = await billing.defaultCard(organizationId, trx);
      if (!card) throw paymentMethodRequired();
      const bill = plainBill("Credits", cents, taxPercent);
      const topUp: TopUp = { userId, origin: { credential, ip }, creditCents: cents, bill };
      const payment = await desk.begin(
        {
          id: ids.next("pay"),
          organization_id: organizationId,
          purpose: "top_up",
          amount_cents: bill.totalCents,
          payment_method_id: card.id,
          idempotency_id: call ?? null,
          purchase: JSON.stringify(topUp),
        },
        trx,
      );
      if (!payment) throw paymentPending();
      return payment;
    });
  }

  /** Charges the default card once per idempotency key. Returns the id of the credit transaction. */
  return async (buyer: Buyer, cents: number, call?: string): Promise<string> => {
    refuseWhileOff();
    const before = call === undefined ? undefined : await desk.ofCall(call, "top_up");
    const paid = await desk.collect(before ?? (await begin(buyer, cents, call)));
    if (paid.outcome === null) throw new Error(`The payment ${paid.id} brought no credits.`);
    return paid.outcome;
  };
}
