import type { MarketplaceMeter } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { parseCents, toTypedMoney } from "#/entities/money/money.ts";
import { USD } from "#/entities/plans/plan-price.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { ADMIN_QUERY_KEYS } from "../query-keys.ts";

const MAX_LIMIT_CENTS = 100_000_000;

const schema = z.object({
  provider: z.enum(["aws", "azure", "gcp"]),
  offer: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/, {
    error: t`Offer is not valid: letters, digits, ., _ and -.`,
  }),
  dimension: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,254}$/, {
    error: t`Dimension is not valid: letters, digits, ., _, / and -.`,
  }),
  price: z.string().regex(/^(?=.*[1-9])(0|[1-9]\d{0,2})(\.\d{1,3})?$/, {
    error: t`Price is not valid: a decimal above 0 and below 1000, such as 0.01.`,
  }),
  limit: z.string().refine(
    (text) => {
      const cents = parseCents(text);
      return cents !== null && cents > 0 && cents <= MAX_LIMIT_CENTS;
    },
    { error: t`Limit is not valid: an amount of dollars, such as 500.` },
  ),
});
type Values = z.infer<typeof schema>;

const save = ({ provider, offer, dimension, price, limit }: Values) =>
  feather.admin.marketplaces.meters.set(provider, offer, {
    dimension,
    unit_price_usd: price,
    max_monthly_usd_cents: parseCents(limit) ?? 0,
  });

/** Says how usage of an offer is metered; a new one where `meter` is null. */
export function MeterDialog({ meter, close }: { meter: MarketplaceMeter | null; close(): void }) {
  const saving = useAction(save, {
    success: ({ offer }) => t`Usage of ${offer} is metered`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const marketplaces = Object.entries(MARKETPLACES).filter(([value]) => meter === null || value === meter.provider);
  return (
    <FormDialog
      open
      title={meter ? t`Meter of ${meter.offer}` : t`Meter an offer`}
      description={t`Usage beyond the credits is reported to the marketplace in units of this dimension. Saving lets purchases go on that were paused.`}
      close={close}
      schema={schema}
      initial={toValues(meter)}
      fields={[
        {
          name: "provider",
          label: t`Marketplace`,
          kind: "choice",
          options: marketplaces.map(([value, label]) => ({ value, label })),
        },
        { name: "offer", label: t`Offer`, autoComplete: "off", hint: t`What is bought, by its id at the marketplace.` },
        {
          name: "dimension",
          label: t`Dimension`,
          autoComplete: "off",
          hint: t`A dimension at AWS, a custom meter at Azure, the name of a metric at Google Cloud.`,
        },
        {
          name: "price",
          label: t`Price of a unit, in US dollars`,
          inputMode: "decimal",
          autoComplete: "off",
          hint: t`The price that the marketplace charges.`,
        },
        {
          name: "limit",
          label: t`At most in a calendar month for an organization, in US dollars`,
          inputMode: "decimal",
          autoComplete: "off",
        },
      ]}
      submitLabel={t`Save`}
      submit={saving.submit}
    />
  );
}

function toValues(meter: MarketplaceMeter | null): Values {
  if (!meter) return { provider: "aws", offer: "", dimension: "", price: "0.01", limit: "500" };
  const { provider, offer, dimension, unit_price_usd: price, max_monthly_usd_cents: cents } = meter;
  return { provider, offer, dimension, price, limit: toTypedMoney(cents, USD) };
}
