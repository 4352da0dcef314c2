import type { MarketplaceMetering } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { meteringQuery } from "#/entities/billing/queries.ts";
import { formatCents, formatUsd } from "#/entities/money/money.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { MeteringDialog } from "./metering-dialog.tsx";

type Meter = NonNullable<MarketplaceMetering["meter"]>;

/** Says what the marketplace bills beyond the credits, and lets admins set the limit. Renders nothing where it bills nothing. */
export function MeteringStatus({ mayChange }: { mayChange: boolean }) {
  const { data, error, refetch } = useQuery(meteringQuery);
  const [editing, setEditing] = useState(false);
  const switchOff = useSwitchOff();
  if (error && !data) return <LoadError subject={t`Metered usage`} error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={24} />;
  const { meter, monthly_limit_usd_cents: limit } = data;
  if (!meter) return null;
  return (
    <div className="mt-4">
      <h3 className="h5">{t`Usage beyond the credits`}</h3>
      {meter.paused ? (
        <p className="notice fault mt-2" role="alert">
          {t`It is paused: ${MARKETPLACES[meter.provider]} did not take earlier usage. Whoever runs this server can let it go on.`}
        </p>
      ) : null}
      <div className="row between wrapping mt-2">
        <p className="small measure">{describe(meter, data)}</p>
        {mayChange ? (
          <span className="row">
            <button type="button" className="btn ghost" onClick={() => setEditing(true)}>
              {limit === null ? t`Let calls go on` : t`Change the limit`}
            </button>
            {limit === null ? null : (
              <button type="button" className="btn ghost" onClick={switchOff}>
                {t`Switch off`}
              </button>
            )}
          </span>
        ) : null}
      </div>
      {editing ? <MeteringDialog meter={meter} limit={limit} close={() => setEditing(false)} /> : null}
    </div>
  );
}

function describe(meter: Meter, metering: MarketplaceMetering): string {
  const { monthly_limit_usd_cents: limit, used_this_month_usd, drawn_this_month_usd } = metering;
  const marketplace = MARKETPLACES[meter.provider];
  if (limit === null) return t`Off: calls are refused when the credits are used up.`;
  const used = formatUsd(used_this_month_usd);
  const price = formatUsd(meter.unit_price_usd);
  const most = formatCents(Math.min(limit, meter.max_monthly_usd_cents));
  const sentence = t`Calls go on when the credits are used up, and ${marketplace} bills them in units of ${price}. ${used} of at most ${most} are used this month.`;
  if (used_this_month_usd === drawn_this_month_usd) return sentence;
  const drawn = formatUsd(drawn_this_month_usd);
  return `${sentence} ${t`${drawn} are set aside for it; what is not used of them is free again when the hour is over.`}`;
}

function useSwitchOff() {
  const confirm = useConfirm();
  const { run } = useAction(() => feather.marketplace.metering.set({ monthly_limit_usd_cents: null }), {
    success: () => t`Nothing is used beyond the credits any more`,
    invalidates: [queries.marketplace.key()],
  });
  return (): void =>
    confirm({
      title: t`Switch usage beyond the credits off`,
      description: t`Calls are refused when the credits are used up. What was used stays billed.`,
      confirmButtonText: t`Switch off`,
      destructive: true,
      action: async () => {
        await run();
      },
    });
}
