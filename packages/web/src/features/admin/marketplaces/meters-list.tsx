import type { MarketplaceMeter } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { formatCents, formatUsd } from "#/entities/money/money.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { NameWithDetail } from "../name-with-detail.tsx";
import { metersQuery } from "../plans/queries.ts";
import { ADMIN_QUERY_KEYS } from "../query-keys.ts";
import { RelativeTime } from "../relative-time.tsx";
import { createMenuColumn } from "../row-menu.tsx";
import { MarketplaceTabs } from "./marketplace-tabs.tsx";
import { MeterDialog } from "./meter-dialog.tsx";

const COLUMNS: Column<MarketplaceMeter>[] = [
  {
    header: t`Offer`,
    cell: ({ provider, offer }) => <NameWithDetail name={offer} detail={MARKETPLACES[provider]} />,
  },
  {
    header: t`Dimension`,
    cell: ({ dimension }) => <span className="mono user-text">{dimension}</span>,
    hideWhenNarrow: true,
  },
  { header: t`A unit`, cell: ({ unit_price_usd }) => formatUsd(unit_price_usd), isNumeric: true },
  {
    header: t`At most a month`,
    cell: ({ max_monthly_usd_cents }) => formatCents(max_monthly_usd_cents),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  { header: t`Saved`, cell: ({ updated_at }) => <RelativeTime date={updated_at} />, hideWhenNarrow: true },
];

/** What is metered at marketplaces: add, change and remove. */
export function MetersList() {
  const meters = useQuery(metersQuery);
  const [editing, setEditing] = useState<MarketplaceMeter | "new" | null>(null);
  const confirm = useConfirm();
  const removal = useAction(
    ({ provider, offer }: MarketplaceMeter) => feather.admin.marketplaces.meters.remove(provider, offer),
    { success: (_, { offer }) => t`Nothing more is metered for ${offer}`, invalidates: ADMIN_QUERY_KEYS },
  );
  const remove = (meter: MarketplaceMeter): void =>
    confirm({
      title: t`Stop metering ${meter.offer}?`,
      description: t`Calls stop when credits are used up. What was used is still reported.`,
      confirmButtonText: t`Stop metering`,
      destructive: true,
      action: async () => {
        await removal.run(meter);
      },
    });
  const add = (
    <button type="button" className="btn primary" disabled={!meters.data} onClick={() => setEditing("new")}>
      {t`Meter an offer`}
    </button>
  );
  return (
    <>
      <ListPage
        title={t`Marketplaces`}
        description={t`For which offers marketplaces bill usage beyond the credits, once organizations set a limit.`}
        action={add}
        query={meters}
        columns={[
          ...COLUMNS,
          createMenuColumn(
            ({ offer }: MarketplaceMeter) => offer,
            (meter) => [
              { label: t`Change`, run: () => setEditing(meter) },
              { label: t`Stop metering`, run: () => remove(meter), destructive: true },
            ],
          ),
        ]}
        idOf={({ provider, offer }) => `${provider} ${offer}`}
        empty={{
          title: t`Nothing is metered`,
          text: t`List a dimension with a price for a unit at the marketplace, and name it here.`,
          action: add,
        }}
      >
        <MarketplaceTabs />
      </ListPage>
      {editing ? <MeterDialog meter={editing === "new" ? null : editing} close={() => setEditing(null)} /> : null}
    </>
  );
}
