import type { MarketplacePurchase } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";

type Props = { purchase: MarketplacePurchase; close(): void };

/** Rejects a pending purchase at its marketplace, with a reason. */
export function RejectPurchaseDialog({ purchase, close }: Props) {
  const { organization_name, provider } = purchase;
  const rejection = useAction(
    (body: { reason: string }, options) => feather.admin.marketplaces.reject(purchase.id, body, options),
    { success: () => t`The purchase is rejected`, invalidates: ADMIN_QUERY_KEYS },
  );
  return (
    <FormDialog
      open
      title={t`Reject the purchase for ${organization_name}`}
      description={t`${MARKETPLACES[provider]} bills nothing for it then. This cannot be undone.`}
      close={close}
      schema={z.object({ reason: z.string().trim().min(1, { error: t`Reason is needed.` }).max(500) })}
      initial={{ reason: "" }}
      fields={[{ name: "reason", label: t`Reason`, hint: t`The customer may see it.` }]}
      submitLabel={t`Reject it`}
      destructive
      submit={({ reason }) => rejection.submit({ reason })}
    />
  );
}
