import { sql } from "kysely";
import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import {
  type PaymentDriver,
  type PaymentRecords,
  type PaymentWebhook,
  type WebhookReader,
  type WebhookRequest,
  webhookSubjectSchema,
} from "../../payment-services/index.ts";
import type { DisputeUseCases } from "../disputes/disputes.usecases.ts";
import type { PaymentMethodUseCases } from "../payments/payment-methods.usecases.ts";
import type { PaymentUseCases } from "../payments/payments.usecases.ts";
import type { CustomerChanges } from "../portal/customer-changes.usecases.ts";

type Deps = {
  db: Database;
  clock: Clock;
  log: Pick<Logger, "error">;
  payments: PaymentUseCases;
  paymentMethods: PaymentMethodUseCases;
  disputes: DisputeUseCases;
  driver: Pick<PaymentDriver, "name">;
  /** Null where the payment service sends no webhooks. */
  reader: WebhookReader | null;
  records: PaymentRecords | null;
  /** Null where nobody changes cards and addresses at the payment service. */
  customerChanges: CustomerChanges | null;
};

/** A webhook that failed is handled again when it is this old, and after each failed attempt at twice the age. */
const FIRST_REPLAY_S = 30;
/** Twice as often would be longer than webhooks are kept. */
const MAX_DOUBLINGS = 16;
/** How long webhooks are kept, handled or not. Stripe repeats one for three days at most. */
const RETENTION_MS = 30 * DAY_MS;

/** Receives the webhooks of the payment service: stores each, handles it once, and repeats what failed. */
export function createPaymentWebhooks(deps: Deps) {
  return bind(deps, { receive: receiveWebhook, replay: replayWebhooks });
}

export type PaymentWebhookUseCases = ReturnType<typeof createPaymentWebhooks>;

/**
 * Stores a webhook and handles it. Throws `payments.webhook_refused`, and `payments.off` where payments are not made through the
 * service at whose path it arrived.
 */
async function receiveWebhook(deps: Deps, sender: "stripe" | "module", request: WebhookRequest): Promise<void> {
  const { db, clock, driver, reader } = deps;
  if (!reader || (driver.name === "stripe") !== (sender === "stripe")) throw errors.payments.off();
  const webhook = await reader.read(request, clock.now());
  if (!webhook) return;
  const { id, type, subject } = webhook;
  const stored = await db
    .insertInto("payment_webhooks")
    .values({ id, type, subject: JSON.stringify(subject), received_at: clock.now() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if (stored.numInsertedOrUpdatedRows === 1n) await attemptWebhook(deps, webhook, reader);
}

/** Handles a webhook. An error is logged: the sender has done its part, and the webhook is handled again later. */
async function attemptWebhook(deps: Deps, webhook: PaymentWebhook, reader: WebhookReader): Promise<void> {
  const { db, clock, log } = deps;
  const row = () => db.updateTable("payment_webhooks").where("id", "=", webhook.id);
  try {
    await handleWebhook(deps, webhook, reader);
    await row().set({ handled_at: clock.now() }).execute();
  } catch (error) {
    log.error({ err: error, webhook_id: webhook.id, type: webhook.type }, "a webhook of the payment service failed");
    await row()
      .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
      .execute();
  }
}

async function handleWebhook(deps: Deps, { subject }: PaymentWebhook, reader: WebhookReader): Promise<void> {
  const { payments, paymentMethods, disputes, records, customerChanges } = deps;
  if (subject.kind === "setup") return paymentMethods.completeSetup(subject.reference, null);
  if (subject.kind === "dispute") {
    const dispute = await records?.findDispute(subject.dispute);
    return dispute ? disputes.apply(dispute) : undefined;
  }
  if (subject.kind === "customer") {
    await customerChanges?.read(subject.reference);
    return;
  }
  const event = await reader.resolve(subject);
  if (event) await payments.handleEvent(event);
}

/** Handles again what failed and is due, and deletes what is old. */
async function replayWebhooks(deps: Deps): Promise<void> {
  const { db, clock, reader } = deps;
  if (!reader) return;
  const now = clock.now();
  const failed = await db
    .selectFrom("payment_webhooks")
    .selectAll()
    .where("handled_at", "is", null)
    .where(
      sql<boolean>`received_at <= ${now}::timestamptz
        - make_interval(secs => ${FIRST_REPLAY_S} * power(2, least(attempts - 1, ${MAX_DOUBLINGS})))`,
    )
    .orderBy("received_at")
    .limit(100)
    .execute();
  for (const { id, type, subject } of failed)
    await attemptWebhook(deps, { id, type, subject: webhookSubjectSchema.parse(subject) }, reader);
  await db
    .deleteFrom("payment_webhooks")
    .where("received_at", "<=", new Date(now.getTime() - RETENTION_MS))
    .execute();
}
