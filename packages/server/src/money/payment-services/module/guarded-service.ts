import type { Logger } from "pino";
import { z } from "zod";
import { errors } from "../../../platform/core/errors/index.ts";
import { httpUrl } from "../../../platform/core/settings.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";
import { cardSchema } from "../card.schemas.ts";
import type { PaymentDriver, PaymentEvent, WebhookReader } from "../payment-driver.ts";

type Guard = { name: string; log: Pick<Logger, "error"> };

/** A call that takes longer counts as one without a response. */
const CALL_LIMIT_MS = 30 * SECOND_MS;

const text = z.string().min(1).max(500);
const cents = z.number().int().nonnegative();
const nullableUrl = httpUrl.nullable();

const setupSchema = z.object({ reference: text, clientSecret: z.null(), url: httpUrl }).nullable();
const setupStateSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("open") }),
  z.object({ kind: z.literal("requires_action"), url: nullableUrl }),
  z.object({ kind: z.literal("card"), card: cardSchema }),
]);
const eventFields = {
  id: text,
  paymentId: text,
  reference: text.exactOptional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .exactOptional(),
};
const eventSchema = z.discriminatedUnion("type", [
  z.object({ ...eventFields, type: z.literal("payment.succeeded") }),
  z.object({ ...eventFields, type: z.literal("payment.failed"), code: text }),
  z.object({ ...eventFields, type: z.literal("payment.requires_action"), url: nullableUrl }),
  z.object({
    ...eventFields,
    type: z.literal("payment.refunded"),
    refundedCents: cents,
    failedCents: cents.exactOptional(),
  }),
]);
const webhookSchema = z
  .object({
    id: text,
    type: text,
    subject: z.object({ kind: z.enum(["payment", "refund", "setup"]), reference: text }),
  })
  .nullable();

/**
 * Returns a driver of others whose results are checked and whose calls end in time. A call that fails, or returns something else than the
 * interface says, is logged and throws `payments.pending`, so that nothing is posted because of it.
 */
export function guardDriver(guard: Guard, driver: PaymentDriver): PaymentDriver {
  const eventOf = (call: string, paymentId: string, run: () => Promise<PaymentEvent>) =>
    ask(
      guard,
      call,
      eventSchema.refine((event) => event.paymentId === paymentId, "is about another payment"),
      run,
    );
  return {
    name: driver.name,
    isTest: driver.isTest,
    minChargeCents: (rate) => cents.parse(driver.minChargeCents(rate)),
    createCustomer: (details, replaced) =>
      ask(guard, "createCustomer", text, () => driver.createCustomer(details, replaced)),
    createSetup: (setup) => ask(guard, "createSetup", setupSchema, () => driver.createSetup(setup)),
    findSetup: (reference) => ask(guard, "findSetup", setupStateSchema, () => driver.findSetup(reference)),
    charge: (charge) => eventOf("charge", charge.paymentId, () => driver.charge(charge)),
    find: (payment) => ask(guard, "find", eventSchema.nullable(), () => driver.find(payment)),
    cancel: (payment) => eventOf("cancel", payment.paymentId, () => driver.cancel(payment)),
    removeCard: async (reference) =>
      void (await ask(guard, "removeCard", z.unknown(), () => driver.removeCard(reference))),
    refund: (payment) => eventOf("refund", payment.paymentId, () => driver.refund(payment)),
  };
}

/** Returns a reader of webhooks of others, guarded likewise. A webhook that it rejects is refused with its message. */
export function guardWebhooks(guard: Guard, webhooks: WebhookReader): WebhookReader {
  return {
    async read(request, now) {
      const read = await inTime(() => webhooks.read(request, now)).catch((error: unknown) => {
        guard.log.error({ err: error, driver: guard.name }, "a webhook was refused by the payment driver");
        throw errors.payments.webhookRefused("The payment driver does not accept this webhook.");
      });
      return ask(guard, "webhooks.read", webhookSchema, async () => read);
    },
    resolve: (subject) => ask(guard, "webhooks.resolve", eventSchema.nullable(), () => webhooks.resolve(subject)),
  };
}

async function ask<T>(
  { name, log }: Guard,
  call: string,
  schema: z.ZodType<T>,
  run: () => Promise<unknown>,
): Promise<T> {
  try {
    return schema.parse(await inTime(run));
  } catch (error) {
    log.error({ err: error, driver: name, call }, "a call of the payment driver failed");
    throw errors.payments.pending();
  }
}

async function inTime<T>(run: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`There was no answer within ${CALL_LIMIT_MS} ms.`)), CALL_LIMIT_MS);
  });
  try {
    return await Promise.race([run(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
