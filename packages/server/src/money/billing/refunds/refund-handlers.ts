import type { Audit } from "../../../platform/core/audit.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { type Mail, mailAdmins } from "../../../platform/mail/index.ts";
import { formatUsd, type Postings } from "../invoices/postings.ts";
import type { FailedRefund, PaymentRow } from "../payments/payments.usecases.ts";
import { refundFailedMail } from "./refunds.mails.ts";

type Deps = { postings: Postings; audit: Audit; mail: Mail };

/** Returns what follows from refunds, from those that fail later, and from payments that bring nothing. */
export function createRefundHandlers(deps: Deps) {
  const { postings } = deps;
  return {
    onRefund: postings.recordRefund,
    onUnearned: postings.recordUnearned,
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
  const details = { invoice: invoice?.number ?? null, amount_cents: failedCents };
  await audit.record(
    { userId: null, organizationId, action: "invoices.refund_failed", target: invoiceId ?? id, details },
    trx,
  );
  const values = { amount: formatUsd(failedCents), number: invoice?.number ?? null, payment: id };
  await mailAdmins(mail, { template: refundFailedMail, values }, trx);
}
