import type { Insertable, Selectable } from "kysely";
import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Payments } from "../../db/schema.generated.ts";
import type { Clock } from "../../shared/clock.ts";
import {
  authenticationRequired,
  cardDeclined,
  changedMeanwhile,
  paymentMethodRequired,
  paymentPending,
} from "./billing.errors.ts";
import type { BillingRepository } from "./billing.repository.ts";
import type { PaymentDriver, PaymentEvent } from "./payments.ts";

export type PaymentRow = Selectable<Payments>;
export type Purpose = "invoice" | "change" | "top_up";

/** What follows from what became of a payment; within the transaction that writes it down. */
export type Effects = {
  succeeded(payment: PaymentRow, trx: Database): Promise<void>;
  failed(payment: PaymentRow, trx: Database): Promise<void>;
  waiting(payment: PaymentRow, url: string | null, trx: Database): Promise<void>;
};
/** `cents` more were given back; `payment` is as it is then. */
type Refunded = (payment: PaymentRow, cents: number, trx: Database) => Promise<void>;

type Deps = {
  db: Database;
  billing: BillingRepository;
  driver: PaymentDriver;
  clock: Clock;
  log: Pick<Logger, "error">;
  effects: Record<Purpose, Effects>;
  refunded: Refunded;
  forgetPlan(organizationId: string): void;
};

/** After this time without an answer the payment service is asked what became of a payment. */
const SILENCE = 60_000;
/** How long a buyer may take to confirm a payment. */
const PATIENCE = 24 * 3_600_000;

/** Charges and refunds, and takes in what the payment service says of them, each event once. */
export function createPaymentDesk({ db, billing, driver, clock, log, effects, refunded, forgetPlan }: Deps) {
  async function find(id: string, trx: Database = db): Promise<PaymentRow> {
    return trx.selectFrom("payments").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  }

  async function isNew(event: PaymentEvent, trx: Database): Promise<boolean> {
    const inserted = await trx
      .insertInto("payment_events")
      .values({ id: event.id, type: event.type, payment_id: event.paymentId, received_at: clock.now() })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  }

  /** A payment that was given up and yet succeeded, while another pays the same invoice: it is given back. */
  async function isRival(payment: PaymentRow, trx: Database): Promise<boolean> {
    if (payment.status !== "failed" || payment.invoice_id === null) return false;
    const other = await trx
      .selectFrom("payments")
      .select("id")
      .where("invoice_id", "=", payment.invoice_id)
      .where("status", "<>", "failed")
      .executeTakeFirst();
    if (!other) return false;
    await trx
      .updateTable("payments")
      .set({
        status: "succeeded",
        settled_at: clock.now(),
        invoice_id: null,
        outcome: "given_back",
        refund_target_cents: payment.amount_cents,
      })
      .where("id", "=", payment.id)
      .execute();
    return true;
  }

  async function settle(payment: PaymentRow, status: "succeeded" | "failed", code: string | null, trx: Database) {
    const row = await trx
      .updateTable("payments")
      // A call may be made again with the same key once its cause is cured.
      .set({
        status,
        failure_code: code,
        settled_at: clock.now(),
        ...(status === "failed" && { idempotency_id: null }),
      })
      .where("id", "=", payment.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await effects[row.purpose as Purpose][status](row, trx);
  }

  /** Success outweighs failure, and both outweigh waiting: whatever the order, the same comes out. */
  async function take(payment: PaymentRow, event: PaymentEvent, trx: Database): Promise<void> {
    const { status } = payment;
    if (event.type === "payment.succeeded" && status !== "succeeded") {
      if (!(await isRival(payment, trx))) await settle(payment, "succeeded", null, trx);
    }
    if (event.type === "payment.failed" && (status === "pending" || status === "requires_action"))
      await settle(payment, "failed", event.code, trx);
    if (event.type === "payment.requires_action" && status === "pending") {
      await trx.updateTable("payments").set({ status: "requires_action" }).where("id", "=", payment.id).execute();
      await effects[payment.purpose as Purpose].waiting(payment, event.url, trx);
    }
    if (event.type === "payment.refunded") await takeRefund(payment, event.refundedCents, trx);
  }

  async function takeRefund(payment: PaymentRow, total: number, trx: Database): Promise<void> {
    // Only what was paid can be given back, so this tells of the payment too.
    if (payment.status !== "succeeded" && !(await isRival(payment, trx))) await settle(payment, "succeeded", null, trx);
    const upTo = Math.min(total, payment.amount_cents);
    const more = upTo - payment.refunded_cents;
    if (more <= 0) return;
    const row = await trx
      .updateTable("payments")
      .set((eb) => ({
        refunded_cents: upTo,
        refund_target_cents: eb.fn<number>("greatest", ["refund_target_cents", eb.val(upTo)]),
      }))
      .where("id", "=", payment.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await refunded(row, more, trx);
  }

  /** Takes in an event, from an answer or a webhook. Unknown payments are none of ours. */
  async function handle(event: PaymentEvent): Promise<void> {
    const organizationId = await db.transaction().execute(async (trx) => {
      const known = await trx
        .selectFrom("payments")
        .select("organization_id")
        .where("id", "=", event.paymentId)
        .executeTakeFirst();
      if (!known || !(await isNew(event, trx))) return null;
      // First the account, as everybody does, so that no two wait for each other.
      if (await billing.exists(known.organization_id, trx)) await billing.lockAccount(known.organization_id, trx);
      const payment = await trx
        .selectFrom("payments")
        .selectAll()
        .where("id", "=", event.paymentId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      await take(payment, event, trx);
      return known.organization_id;
    });
    if (organizationId !== null) forgetPlan(organizationId);
  }

  /** Null when the card's organization was deleted meanwhile. */
  async function cardOf({ payment_method_id }: PaymentRow): Promise<string | null> {
    const row = await db
      .selectFrom("payment_methods")
      .select("reference")
      .where("id", "=", payment_method_id ?? "")
      .executeTakeFirst();
    return row?.reference ?? null;
  }

  async function charge(payment: PaymentRow): Promise<PaymentEvent> {
    const card = await cardOf(payment);
    if (card === null) throw paymentMethodRequired();
    const event = await driver.charge({
      paymentId: payment.id,
      amountCents: payment.amount_cents,
      card,
      description: `Payment ${payment.id}`,
    });
    await handle(event);
    return event;
  }

  /** Gives back what is to be given back and is not yet. */
  async function giveBack(paymentId: string): Promise<void> {
    const payment = await find(paymentId);
    if (payment.status === "succeeded" && payment.refund_target_cents > payment.refunded_cents)
      await handle(await driver.refund({ paymentId, refundedCents: payment.refund_target_cents }));
  }

  /** What became of a payment that had no answer, or whose buyer never came back. */
  async function follow(payment: PaymentRow, now: number): Promise<void> {
    const event = await driver.find(payment.id);
    if (payment.status === "requires_action") {
      const isAbandoned = payment.created_at.getTime() <= now - PATIENCE;
      if (event && event.type !== "payment.requires_action") await handle(event);
      else if (isAbandoned) await handle(await driver.cancel(payment.id));
    } else if (event) await handle(event);
    else if (await cardOf(payment)) await charge(payment);
    else
      await handle({ id: `${payment.id}:card-gone`, paymentId: payment.id, type: "payment.failed", code: "card_gone" });
  }

  /** One payment's trouble must not keep the others waiting. */
  async function trying(paymentId: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      log.error({ err: error, payment_id: paymentId }, "a payment could not be followed up");
    }
  }

  return {
    find,
    handle,

    /** Writes a payment down before anybody is asked for money. Null when the same call did so before. */
    async begin(
      values: Omit<Insertable<Payments>, "status" | "driver" | "is_test" | "created_at">,
      trx: Database,
    ): Promise<PaymentRow | null> {
      const row = await trx
        .insertInto("payments")
        .values({ ...values, status: "pending", driver: driver.name, is_test: driver.isTest, created_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row ?? null;
    },

    /** Asks for the money. A refusal is thrown for the buyer; what was bought is then not theirs. */
    async collect(payment: PaymentRow): Promise<PaymentRow> {
      const waits = payment.status === "pending" || payment.status === "requires_action";
      const event = waits ? await charge(payment) : null;
      const settled = await find(payment.id);
      if (settled.status === "failed") throw cardDeclined(settled.failure_code ?? "card_declined");
      if (settled.status === "requires_action")
        throw authenticationRequired(event?.type === "payment.requires_action" ? event.url : null);
      if (settled.status === "pending") throw paymentPending();
      if (settled.outcome === "given_back") {
        await giveBack(payment.id);
        throw changedMeanwhile();
      }
      return settled;
    },

    /** The same, where nobody waits: what comes of it is in the row. */
    async collectQuietly(payment: PaymentRow): Promise<PaymentRow> {
      await charge(payment);
      return find(payment.id);
    },

    /** Ends a payment that waits for its buyer. */
    async cancel(payment: PaymentRow): Promise<void> {
      await handle(await driver.cancel(payment.id));
    },

    giveBack,

    /** What the same call paid before an answer got lost. */
    ofCall: (call: string, purpose: Purpose): Promise<PaymentRow | undefined> =>
      db
        .selectFrom("payments")
        .selectAll()
        .where("idempotency_id", "=", call)
        .where("purpose", "=", purpose)
        .executeTakeFirst(),

    /** Takes up what a crash cut off: payments without an answer, buyers who never came back, refunds not yet made. */
    async recover(): Promise<void> {
      const now = clock.now().getTime();
      const unsettled = await db
        .selectFrom("payments")
        .selectAll()
        .where("status", "in", ["pending", "requires_action"])
        .where("created_at", "<=", new Date(now - SILENCE))
        .orderBy("created_at")
        .limit(100)
        .execute();
      for (const payment of unsettled) await trying(payment.id, () => follow(payment, now));
      const owed = await db
        .selectFrom("payments")
        .select("id")
        .where("status", "=", "succeeded")
        .whereRef("refund_target_cents", ">", "refunded_cents")
        .limit(100)
        .execute();
      for (const { id } of owed) await trying(id, () => giveBack(id));
    },
  };
}

export type PaymentDesk = ReturnType<typeof createPaymentDesk>;
