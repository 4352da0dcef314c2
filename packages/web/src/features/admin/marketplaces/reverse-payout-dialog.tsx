import type { MarketplacePayout } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { ADMIN_QUERY_KEYS } from "../query-keys.ts";

type Props = { payout: MarketplacePayout; close(): void };

/** Reverses a payout that was recorded wrong, with a reason. */
export function ReversePayoutDialog({ payout: { id, reference }, close }: Props) {
  const reversal = useAction((body: { reason: string }) => feather.admin.marketplaces.payouts.reverse(id, body), {
    success: () => t`The payout ${reference} is reversed`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <FormDialog
      open
      title={t`Reverse the payout ${reference}`}
      description={t`What it covered is open again, and it can be recorded as it is. It stays in the list.`}
      close={close}
      schema={z.object({ reason: z.string().trim().min(1, { error: t`Reason is needed.` }).max(500) })}
      initial={{ reason: "" }}
      fields={[{ name: "reason", label: t`Reason`, hint: t`It stands in the export for accounting.` }]}
      submitLabel={t`Reverse it`}
      destructive
      submit={reversal.submit}
    />
  );
}
