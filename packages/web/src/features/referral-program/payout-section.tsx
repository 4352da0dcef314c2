import type { ReferralSummary } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { useBillingRefresh } from "#/entities/billing/queries.ts";
import { ReadOnlyNote } from "#/entities/billing/read-only-note.tsx";
import { useBillingPermission } from "#/entities/billing/use-billing-permission.ts";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { formatMissingAmount, MIN_PAYOUT_NANO_USD } from "./terms.ts";

/** Pays out the available commission. */
export function PayoutSection({ summary }: { summary: ReferralSummary }) {
  const confirm = useConfirm();
  const { readOnlyReason } = useBillingPermission();
  const { refreshBilling } = useBillingRefresh();
  const payout = useAction((_: null, options) => feather.referral.payout(options), {
    showsError: true,
    success: ({ amount_nano_usd, is_test }) => ({
      title: t`${formatNanoUsd(amount_nano_usd)} is paid out`,
      ...(is_test && { description: t`A test: no money moved.` }),
    }),
    onSuccess: () => refreshBilling(),
  });
  const missingAmount = formatMissingAmount(summary);

  function confirmPayout(): void {
    confirm({
      title: t`Pay out ${formatNanoUsd(summary.available_nano_usd)}`,
      description: t`All commission that is ready is paid out at once.`,
      confirmButtonText: t`Pay out ${formatNanoUsd(summary.available_nano_usd)}`,
      action: async () => {
        await payout.run(null);
      },
    });
  }

  return (
    <section className="mt-8" aria-labelledby="payout">
      <h2 className="h4" id="payout">
        {t`Payout`}
      </h2>
      <p className="muted mt-2">
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
          {payout.busy ? t`Please wait …` : t`Pay it out`}
        </button>
      ) : null}
    </section>
  );
}
