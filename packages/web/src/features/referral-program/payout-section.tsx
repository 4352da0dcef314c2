import { t } from "@lingui/core/macro";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { FaultNotice } from "#/components/ui/fault-notice.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { usd } from "#/features/billing/money.ts";
import { BarrierNote } from "#/features/billing/notes.tsx";
import { useBilling } from "#/features/billing/permission.ts";
import { useBillingRefresh } from "#/features/billing/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import type { Summary } from "./queries.ts";
import { MINIMUM_NANO, missing } from "./terms.ts";

/** Pays out the available commission. */
export function PayoutSection({ summary }: { summary: Summary }) {
  const toast = useToast();
  const confirm = useConfirm();
  const { barrier } = useBilling();
  const { changed } = useBillingRefresh();
  const payout = useAttempt((_: null, options) => feather.referral.payout(options));
  const left = missing(summary);

  function ask(): void {
    confirm({
      title: t`Pay out ${usd(summary.available_nano_usd)}`,
      description: t`All commission that is ready is paid out at once.`,
      confirmButtonText: t`Pay out ${usd(summary.available_nano_usd)}`,
      action: async () => {
        const paid = await payout.run(null);
        if (!paid) return;
        await changed();
        toast({
          title: t`${usd(paid.value.amount_nano_usd)} is paid out`,
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
        {left === null
          ? t`${usd(summary.available_nano_usd)} is ready.`
          : t`From ${usd(String(MINIMUM_NANO))} on. ${left} more has to become ready.`}
      </p>
      <BarrierNote barrier={barrier} />
      <FaultNotice error={payout.error} />
      {barrier === null ? (
        <button type="button" className="btn primary mt-4" disabled={left !== null || payout.busy} onClick={ask}>
          {payout.busy ? t`One moment …` : t`Pay it out`}
        </button>
      ) : null}
    </section>
  );
}
