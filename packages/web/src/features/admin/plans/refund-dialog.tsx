import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { centsOf, dollars } from "#/features/billing/money.ts";
import { createAttemptKeys } from "#/lib/attempt-keys.ts";
import { feather } from "#/lib/feather.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useSaved } from "../use-act.ts";
import type { AdminInvoice } from "./queries.ts";

const leftOf = ({ total_cents, refunded_cents }: AdminInvoice): number => total_cents - refunded_cents;

export const isRefundable = (invoice: AdminInvoice): boolean => invoice.status === "paid" && leftOf(invoice) > 0;

const rulesFor = (left: number) =>
  z.object({
    amount: z.string().refine(
      (value) => {
        const cents = centsOf(value);
        return cents !== null && cents > 0 && cents <= left;
      },
      { error: t`Amount is not valid: dollars, up to ${dollars(left)}.` },
    ),
  });

/** Gives back what was paid, or a part of it. Pressed twice it is done once. */
export function RefundDialog({ invoice, close }: { invoice: AdminInvoice; close(): void }) {
  const saved = useSaved();
  const [keys] = useState(createAttemptKeys);
  const left = leftOf(invoice);
  return (
    <FormDialog
      open
      title={t`Refund of ${invoice.number}`}
      description={t`Credits that were bought with it are taken away again, and commission that was earned by it is lost in proportion. This cannot be undone.`}
      close={close}
      schema={rulesFor(left)}
      initial={{ amount: (left / 100).toFixed(2) }}
      fields={[
        { name: "amount", label: t`Amount in dollars`, inputMode: "decimal", hint: t`${dollars(left)} are left.` },
      ]}
      submitLabel={t`Give it back`}
      destructive
      submit={async ({ amount }) => {
        const body = { amount_cents: centsOf(amount) };
        try {
          await feather.admin.invoices.refund(invoice.id, body, { idempotencyKey: keys.keyFor(body) });
          keys.settle();
        } catch (error) {
          keys.settle(error);
          throw error;
        }
        await saved(t`${dollars(body.amount_cents ?? 0)} are given back`);
      }}
    />
  );
}
