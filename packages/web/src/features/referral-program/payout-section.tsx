import { t } from "@lingui/core/macro";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { ErrorNotice } from "#/components/ui/error-notice.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { ReadOnlyNote } from "#/entities/billing/notes.tsx";
import { useBillingRefresh } from "#/entities/billing/queries.ts";
import { useBillingPermission } from "#/entities/billing/use-billing-permission.ts";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { feather } from "#/lib/feather.ts";
import { useIdempotentAction } from "#/lib/use-idempotent-action.ts";
import type { ReferralSummary } from "./queries.ts";
import { formatMissingAmount, MIN_PAYOUT_NANO_USD } from "./terms.ts";

/** Pays out the available commission. */
export function PayoutSection({ summary }: { summary: ReferralSummary }) {
  const toast = useToast();
  const confirm = useConfirm();
  const { readOnlyReason } = useBillingPermission();
  const { refreshBilling } = useBillingRefresh();
  const payout = useIdempotentAction((_: null, options) => feather.referral.payout(options));
  const missingAmount = formatMissingAmount(summary);

  function confirmPayout(): void {
    confirm({
      title: t`Pay out ${formatNanoUsd(summary.available_nano_usd)}`,
      description: t`All commission that is ready is paid out at once.`,
      confirmButtonText: t`Pay out ${formatNanoUsd(summary.available_nano_usd)}`,
      action: async () => {
        const paid = await payout.run(null);
        if (!paid) return;
        await refreshBilling();
        toast({
          title: t`${formatNanoUsd(paid.value.amount_nano_usd)} is paid out`,
          description: paid.value.is_test ? t`A test: no money moved.` : undefined,
          variant: "success",
        });
      },
    });
  }

  return (
    <section className="mt-8" aria-labelledby="payout">
      <h2 className="h4" id="payout">
        {t`Payout`}
      </h2>
      <p className="mid mt-2">
        {missingAmount === null
          ? t`${formatNanoUsd(summary.available_nano_usd)} is ready.`
          : t`From ${formatNanoUsd(String(MIN_PAYOUT_NANO_USD))} on. ${missingAmount} more has to become ready.`}
      </p>
      <ReadOnlyNote readOnlyReason={readOnlyReason} />
      <ErrorNotice error={payout.error} />
      {readOnlyReason === null ? (
        <button
          type="button"
          className="btn primary mt-4"
          disabled={missingAmount !== null || payout.busy}
          onClick={confirmPayout}
        >
          {payout.busy ? t`One moment …` : t`Pay it out`}
        </button>
      ) : null}
    </section>
  );
}
