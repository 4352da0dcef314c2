import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { Skeleton } from "#/components/ui/bits.tsx";
import { Dialog } from "#/components/ui/dialog.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { centsOf, dollars } from "#/features/billing/money.ts";
import { createAttemptKeys } from "#/lib/attempt-keys.ts";
import { feather } from "#/lib/feather.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useSaved } from "../use-act.ts";
import { EndedPlanNote } from "./ended-plan-note.tsx";
import { type AdminInvoice, refundQuery } from "./queries.ts";

type Props = { invoice: AdminInvoice; close(): void };
type Known = Props & { left: number; refundable: number; ended: Schemas["EndedPlan"] | null };

const leftOf = ({ total_cents, refunded_cents }: AdminInvoice): number => total_cents - refunded_cents;

/** Whether an invoice is paid and not fully refunded. */
export const isRefundable = (invoice: AdminInvoice): boolean => invoice.status === "paid" && leftOf(invoice) > 0;

const rulesFor = (most: number) =>
  z.object({
    amount: z.string().refine(
      (value) => {
        const cents = centsOf(value);
        return cents !== null && cents > 0 && cents <= most;
      },
      { error: t`Amount is not valid: dollars, up to ${dollars(most)}.` },
    ),
    ends: z.boolean(),
  });

/** Refunds an invoice or a part of it, after showing how much can be refunded and which plan ends. */
export function RefundDialog({ invoice, close }: Props) {
  const { data, error, refetch } = useQuery({ ...refundQuery(invoice.id), staleTime: 0, gcTime: 0 });
  if (data)
    return (
      <RefundForm
        invoice={invoice}
        close={close}
        left={data.left_cents}
        refundable={data.refundable_cents}
        ended={data.ended_plan}
      />
    );
  return (
    <Dialog open onClose={close} title={t`Refund of ${invoice.number}`}>
      {error ? (
        <ReadFault what={t`What can be given back`} error={error} again={() => void refetch()} />
      ) : (
        <Skeleton height={160} />
      )}
    </Dialog>
  );
}

/** The form. Its idempotency key makes a repeated submit safe. */
function RefundForm({ invoice, close, left, refundable, ended }: Known) {
  const saved = useSaved();
  const [keys] = useState(createAttemptKeys);
  const [most, all] = [dollars(refundable), dollars(left)];
  return (
    <FormDialog
      open
      title={t`Refund of ${invoice.number}`}
      description={t`Credits that came with it are taken away again, and commission that was earned by it is lost in proportion. This cannot be undone.`}
      close={close}
      schema={rulesFor(refundable)}
      initial={{ amount: (refundable / 100).toFixed(2), ends: ended !== null && refundable === left }}
      fields={[
        {
          name: "amount",
          label: t`Amount in dollars`,
          inputMode: "decimal",
          hint:
            refundable < left
              ? t`${all} are left. Credits of it were spent, so at most ${most} can be given back.`
              : t`${most} are left.`,
        },
        ...(ended ? [{ name: "ends" as const, label: t`End the plan at once`, kind: "check" as const }] : []),
      ]}
      about={({ ends }) =>
        ended === null ? null : ends ? (
          <EndedPlanNote ended={ended} />
        ) : (
          <p className="mid mt-4">
            <Trans>The plan {ended.plan_name} goes on until its period ends, and is renewed then.</Trans>
          </p>
        )
      }
      submitLabel={t`Give it back`}
      destructive
      submit={async ({ amount, ends }) => {
        const body = { amount_cents: centsOf(amount), ...(ended && { end_plan: ends }) };
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
