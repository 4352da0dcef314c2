import type { MarketplaceMetering } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { formatUsd, parseCents, toTypedMoney } from "#/entities/money/money.ts";
import { USD } from "#/entities/plans/plan-price.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { createAmountSchema } from "../credits/amount-schema.ts";

type Props = {
  meter: NonNullable<MarketplaceMetering["meter"]>;
  /** The present limit in cents; null while metered usage is off. */
  limit: number | null;
  close(): void;
};

const DEFAULT_LIMIT_CENTS = 10_000;

/** A dialog that sets how much the marketplace may bill beyond the credits. */
export function MeteringDialog({ meter, limit, close }: Props) {
  const set = useAction(
    (values: { limit: string }) =>
      feather.marketplace.metering.set({ monthly_limit_usd_cents: parseCents(values.limit) ?? 0 }),
    {
      success: () => t`Calls go on when the credits are used up`,
      invalidates: [queries.marketplace.key()],
      onSuccess: close,
    },
  );
  const marketplace = MARKETPLACES[meter.provider];
  const price = formatUsd(meter.unit_price_usd);
  const initial = Math.min(limit ?? DEFAULT_LIMIT_CENTS, meter.max_monthly_usd_cents);
  return (
    <Dialog
      open
      onClose={close}
      title={t`Usage beyond the credits`}
      description={t`Calls go on when the credits are used up. ${marketplace} bills what they cost, by the hour and in units of ${price}.`}
    >
      <div className="mt-4">
        <Form
          schema={z.object({ limit: createAmountSchema(t`Limit`, 1, meter.max_monthly_usd_cents) })}
          initial={{ limit: toTypedMoney(initial, USD) }}
          fields={[
            {
              name: "limit",
              label: t`At most in a calendar month, in US dollars`,
              inputMode: "decimal",
              autoComplete: "off",
              hint: t`Months begin at midnight UTC.`,
            },
          ]}
          submitLabel={t`Let the marketplace bill it`}
          cancel={close}
          submit={set.submit}
        />
      </div>
    </Dialog>
  );
}
