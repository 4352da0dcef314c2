import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import { type Mail, mailAdmins } from "../../../platform/mail/index.ts";
import { formatMoney } from "../../currencies/index.ts";
import type { PaymentDriver, PaymentRecords, WebhookReader } from "../../payment-services/index.ts";
import type { DisputeUseCases } from "../disputes/disputes.usecases.ts";
import type { PaymentUseCases } from "../payments/payments.usecases.ts";
import type { CustomerChanges } from "../portal/customer-changes.usecases.ts";
import { compareCharges, compareDisputes, compareRefunds, findUnknownAtService } from "./compare-payments.ts";
import { type Difference, differencesSchema } from "./differences.ts";
import { paymentsDifferMail } from "./reconciliation.mails.ts";

type Deps = {
  db: Database;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
  mail: Mail;
  driver: PaymentDriver;
  payments: PaymentUseCases;
  disputes: DisputeUseCases;
  /** Null where payments are off or tests. */
  service: { webhooks: WebhookReader; records: PaymentRecords } | null;
  /** Null where nobody changes cards and addresses at the payment service. */
  customerChanges: CustomerChanges | null;
};

/** The result of a comparison with the payment service. */
export type PaymentCheck = {
  checkedAt: Date;
  charges: number;
  refunds: number;
  disputes: number;
  differences: Difference[];
};

const CHECK_INTERVAL_MS = DAY_MS;
/** Payments that are this young may be under way, and are compared the next day. */
const SETTLING_MS = 15 * MINUTE_MS;
const CHARGE_WINDOW_MS = 7 * DAY_MS;
/** A refund can fail up to 30 days after it was made, and a dispute be opened 120 days after the charge. */
const REFUND_WINDOW_MS = 35 * DAY_MS;
const DISPUTE_WINDOW_MS = 150 * DAY_MS;
/** Customers whose portal was opened in this time may have changed there unheard. */
const PORTAL_WINDOW_MS = 7 * DAY_MS;
const RETENTION_MS = 90 * DAY_MS;

/** Compares payments, refunds, disputes and customers with the payment service once a day, and applies what was missed. */
export function createReconciliation(deps: Deps) {
  return bind(deps, { run: runWhenDue, check: checkPayments, latest: readLatest });
}

export type Reconciliation = ReturnType<typeof createReconciliation>;

async function runWhenDue(deps: Deps): Promise<void> {
  const { clock, service } = deps;
  if (!service) return;
  const latest = await readLatest(deps);
  if (latest && latest.checkedAt.getTime() > clock.now().getTime() - CHECK_INTERVAL_MS) return;
  await checkPayments(deps);
}

/** Compares now. Stores and logs the result, and mails differences that the last comparison did not have to the admins. */
async function checkPayments(deps: Deps): Promise<void> {
  const { db, clock, service, customerChanges } = deps;
  if (!service) return;
  const now = clock.now();
  await customerChanges?.readOpened(new Date(now.getTime() - PORTAL_WINDOW_MS));
  const window = {
    since: new Date(now.getTime() - CHARGE_WINDOW_MS),
    until: new Date(now.getTime() - SETTLING_MS),
  };
  const context = { ...deps, ...service, reader: service.webhooks };
  const charges = await service.records.listCharges(window.since, window.until);
  const refunded = await service.records.listRefunded(new Date(now.getTime() - REFUND_WINDOW_MS));
  const disputes = await service.records.listDisputes(new Date(now.getTime() - DISPUTE_WINDOW_MS));
  const differences = [
    ...(await compareCharges(context, charges)),
    ...(await findUnknownAtService(context, charges, window)),
    ...(await compareRefunds(context, refunded)),
    ...(await compareDisputes(context, disputes)),
  ];
  const before = await readLatest(deps);
  const check = {
    checkedAt: now,
    charges: charges.length,
    refunds: refunded.length,
    disputes: disputes.length,
    differences,
  };
  await db.transaction().execute(async (trx) => {
    const { checkedAt: checked_at, ...values } = check;
    await trx
      .insertInto("payment_checks")
      .values({ ...values, checked_at, differences: JSON.stringify(differences) })
      .execute();
    await trx
      .deleteFrom("payment_checks")
      .where("checked_at", "<=", new Date(now.getTime() - RETENTION_MS))
      .execute();
    await report(deps, check, before?.differences ?? [], trx);
  });
}

async function report(
  { log, mail }: Deps,
  { charges, refunds, disputes, differences }: PaymentCheck,
  before: readonly Difference[],
  trx: Database,
): Promise<void> {
  const counts = { charges, refunds, disputes };
  if (differences.length === 0) return log.info(counts, "payments agree with the payment service");
  log.warn({ ...counts, differences }, "payments differ from the payment service");
  const known = new Set(before.map(keyOf));
  const fresh = differences.filter((difference) => !known.has(keyOf(difference)));
  if (fresh.length === 0) return;
  const values = { differences: fresh.map(describeDifference).join("\n") };
  await mailAdmins(mail, { template: paymentsDifferMail, values }, trx);
}

function keyOf({ kind, reference, payment_id }: Difference): string {
  return JSON.stringify([kind, reference, payment_id]);
}

const SENTENCES: Readonly<Record<Difference["kind"], string>> = {
  unknown_here: "is charged at the service and unknown here",
  unknown_at_service: "is paid here and unknown at the service",
  not_posted: "is charged at the service and was not posted here",
  amount: "has another amount",
  currency: "is charged in another currency",
  refund: "has other refunds",
  dispute: "has a dispute in another state",
};

function describeDifference(difference: Difference): string {
  const { kind, reference, payment_id, currency, service_cents, our_cents, repaired } = difference;
  const amounts = [
    ...(service_cents === null ? [] : [`${formatMoney(service_cents, currency)} at the service`]),
    ...(our_cents === null ? [] : [`${formatMoney(our_cents, currency)} here`]),
  ].join(", ");
  const end = repaired ? " Posted now." : "";
  return `- ${payment_id ?? reference} ${SENTENCES[kind]} (${amounts}).${end}`;
}

/** Returns the latest comparison; null before the first. */
async function readLatest({ db }: Deps): Promise<PaymentCheck | null> {
  const row = await db
    .selectFrom("payment_checks")
    .selectAll()
    .orderBy("checked_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { checked_at: checkedAt, differences, ...counts } = row;
  return { ...counts, checkedAt, differences: differencesSchema.parse(differences) };
}
