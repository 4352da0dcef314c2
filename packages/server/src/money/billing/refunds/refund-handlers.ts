import type { Audit } from "../../../platform/core/audit.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { type Mail, mailAdmins } from "../../../platform/mail/index.ts";
import { formatMoney } from "../../currencies/index.ts";
import type { Postings } from "../invoices/postings.ts";
import type { FailedRefund, PaymentRow } from "../payments/payments.usecases.ts";
import { otherCurrencyMail, refundFailedMail } from "./refunds.mails.ts";

type Deps = { postings: Postings; audit: Audit; mail: Mail };

/** Returns what follows from refunds, from those that fail later, and from payments that bring nothing or came in another currency. */
export function createRefundHandlers(deps: Deps) {
  const { postings } = deps;
  return {
    onRefund: postings.recordRefund,
    onUnearned: postings.recordUnearned,
    onOtherCurrency: (payment: PaymentRow, currency: string, trx: Database) =>
      reportOtherCurrency(deps, payment, currency, trx),
    onRefundFailed: (payment: PaymentRow, refund: FailedRefund, trx: Database) =>
      handleFailedRefund(deps, payment, refund, trx),
  };
}

/** Posts a failed refund back, notes it in the audit log, and tells the admins of the platform. */
async function handleFailedRefund(
  { postings, audit, mail }: Deps,
  payment: PaymentRow,
  { failedCents, returnedCents }: FailedRefund,
  trx: Database,
): Promise<void> {
  await postings.recordFailedRefund(payment, returnedCents, trx);
  const { organization_id: organizationId, invoice_id: invoiceId, id } = payment;
  const invoice = await trx
    .selectFrom("invoices")
    .select("number")
    .where("id", "=", invoiceId ?? "")
    .executeTakeFirst();
  const details = { invoice: invoice?.number ?? null, amount_cents: failedCents, currency: payment.currency };
  await audit.record(
    { userId: null, organizationId, action: "invoices.refund_failed", target: invoiceId ?? id, details },
    trx,
  );
  const values = { amount: formatMoney(failedCents, payment.currency), number: invoice?.number ?? null, payment: id };
  await mailAdmins(mail, { template: refundFailedMail, values }, trx);
}

/** Notes in the audit log that a payment was charged in another currency, and tells the admins of the platform. */
async function reportOtherCurrency(
  { audit, mail }: Deps,
  { id, organization_id: organizationId, amount_cents, currency, reference }: PaymentRow,
  chargedCurrency: string,
  trx: Database,
): Promise<void> {
  const details = { amount_cents, currency, charged_currency: chargedCurrency, reference };
  await audit.record({ userId: null, organizationId, action: "payments.other_currency", target: id, details }, trx);
  const values = { payment: id, amount: formatMoney(amount_cents, currency), charged_currency: chargedCurrency };
  await mailAdmins(mail, { template: otherCurrencyMail, values }, trx);
}
