import type { AdminInvoice, EndedPlan, RefundRequest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { formatMoney, parseMoney, toTypedMoney } from "#/entities/money/money.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { EndedPlanNote } from "../users/ended-plan-note.tsx";
import { refundQuery } from "./queries.ts";

type Props = { invoice: AdminInvoice; close(): void };
type RefundFormProps = Props & { leftCents: number; refundableCents: number; endedPlan: EndedPlan | null };

const leftCentsOf = ({ total_cents, refunded_cents }: AdminInvoice): number => total_cents - refunded_cents;

/** Whether an invoice is paid and not fully refunded. */
export const isRefundable = (invoice: AdminInvoice): boolean =>
  invoice.status === "paid" && leftCentsOf(invoice) > 0 && (!invoice.dispute || invoice.dispute.status === "won");

const createRefundSchema = (maxCents: number, currency: string) =>
  z.object({
    amount: z.string().refine(
      (value) => {
        const cents = parseMoney(value, currency);
        return cents !== null && cents > 0 && cents <= maxCents;
      },
      { error: t`Amount is not valid: up to ${formatMoney(maxCents, currency)}.` },
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
        leftCents={data.left_cents}
        refundableCents={data.refundable_cents}
        endedPlan={data.ended_plan}
      />
    );
  return (
    <Dialog open onClose={close} title={t`Refund of ${invoice.number}`}>
      {error ? (
        <LoadError subject={t`What can be given back`} error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={160} />
      )}
    </Dialog>
  );
}

/** The form. */
function RefundForm({ invoice, close, leftCents, refundableCents, endedPlan }: RefundFormProps) {
  const { currency } = invoice;
  const refund = useAction((body: RefundRequest, options) => feather.admin.invoices.refund(invoice.id, body, options), {
    success: (_, { amount_cents }) => t`${formatMoney(amount_cents ?? 0, currency)} are given back`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const [refundableText, leftText] = [formatMoney(refundableCents, currency), formatMoney(leftCents, currency)];
  return (
    <FormDialog
      open
      title={t`Refund of ${invoice.number}`}
      description={t`Credits that came with it are taken away again, and commission that was earned by it is lost in proportion. This cannot be undone.`}
      close={close}
      schema={createRefundSchema(refundableCents, currency)}
      initial={{
        amount: toTypedMoney(refundableCents, currency),
        ends: endedPlan !== null && refundableCents === leftCents,
      }}
      fields={[
        {
          name: "amount",
          label: t`Amount in ${currency}`,
          inputMode: "decimal",
          hint:
            refundableCents < leftCents
              ? t`${leftText} are left. Credits of it were spent, so at most ${refundableText} can be given back.`
              : t`${refundableText} are left.`,
        },
        ...(endedPlan ? [{ name: "ends" as const, label: t`End the plan at once`, kind: "check" as const }] : []),
      ]}
      renderSummary={({ ends }) =>
        endedPlan === null ? null : ends ? (
          <EndedPlanNote ended={endedPlan} />
        ) : (
          <p className="muted mt-4">
            <Trans>The plan {endedPlan.plan_name} goes on until its period ends, and is renewed then.</Trans>
          </p>
        )
      }
      submitLabel={t`Give it back`}
      destructive
      submit={({ amount, ends }) =>
        refund.submit({ amount_cents: parseMoney(amount, currency), ...(endedPlan && { end_plan: ends }) })
      }
    />
  );
}
