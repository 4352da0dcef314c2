import type { MarketplaceUsage } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { formatUsd } from "#/entities/money/money.ts";
import { formatCount } from "#/lib/format.ts";
import { NameWithDetail } from "../name-with-detail.tsx";
import { marketplaceUsageQuery } from "../plans/queries.ts";
import { RelativeTime } from "../relative-time.tsx";
import { toUsageQuery, USAGE_FILTERS } from "./filters.ts";
import { MarketplaceTabs } from "./marketplace-tabs.tsx";

const TIERS: Record<MarketplaceUsage["status"], string> = {
  open: "loading",
  due: "loading",
  sent: "loading",
  accepted: "good",
  refused: "bad",
};

const COLUMNS: Column<MarketplaceUsage>[] = [
  {
    header: t`Organization`,
    cell: ({ organization_name, organization_id, reason, is_test }) => (
      <>
        <span className="user-text">{organization_name ?? organization_id}</span>{" "}
        {is_test ? <Tag>{t`test`}</Tag> : null}
        {reason === null ? null : <div className="small faint user-text">{reason}</div>}
      </>
    ),
  },
  {
    header: t`Marketplace`,
    cell: ({ provider, reference }) => <NameWithDetail name={MARKETPLACES[provider]} detail={reference} />,
    hideWhenNarrow: true,
  },
  { header: t`Hour`, cell: ({ hour_starts_at }) => <RelativeTime date={hour_starts_at} />, hideWhenNarrow: true },
  {
    header: t`Units`,
    cell: ({ units, dimension }) => <NameWithDetail name={formatCount(units)} detail={dimension} />,
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Amount`,
    cell: ({ amount_usd, status }) => (
      <>
        {formatUsd(amount_usd)}
        {status === "open" ? <div className="small faint">{t`drawn so far`}</div> : null}
      </>
    ),
    isNumeric: true,
  },
  {
    header: t`State`,
    cell: ({ status }) => (
      <span className="small">
        <StateBadge tier={TIERS[status]}>{status}</StateBadge>
      </span>
    ),
  },
];

/** What organizations used beyond their credits, by hour, and whether the marketplace took it. */
export function UsageList() {
  const list = useListState(USAGE_FILTERS);
  const usage = useQuery(marketplaceUsageQuery(toUsageQuery(list)));
  return (
    <ListPage
      title={t`Marketplaces`}
      description={t`What organizations used beyond their credits. Marketplaces bill it once they accept it; what they refuse is written off.`}
      list={list}
      query={usage}
      columns={COLUMNS}
      idOf={({ id }) => id}
      empty={{
        title: t`No metered usage yet`,
        text: t`It begins when an organization whose plan has a meter sets a limit and uses its credits up.`,
      }}
    >
      <MarketplaceTabs />
    </ListPage>
  );
}
