import type { UsageReportRow } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { Column } from "#/components/list/list-table.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { formatCount } from "#/lib/format.ts";
import { formatErrorRate, GROUP_OPTIONS, type GroupKey } from "./report.ts";

/** Returns a unique key of a row. */
export const rowKey = ({ group }: UsageReportRow): string => JSON.stringify(group);

const groupLabel = (group: GroupKey): string => GROUP_OPTIONS.find(({ value }) => value === group)?.label ?? group;

function GroupCell({ group, value }: { group: GroupKey; value: string | undefined }) {
  if (value === undefined || value === "") return <span className="faint">{t`none`}</span>;
  if (group === "model") return <ModelId id={value} />;
  if (group === "day" || group === "month") return <span className="num whitespace-nowrap">{value.slice(0, 10)}</span>;
  if (group === "hour") return <span className="num whitespace-nowrap">{value.slice(0, 16).replace("T", " ")}</span>;
  return <span className="mono small user-text">{value}</span>;
}

/** Returns the columns of a usage report. */
export function createUsageColumns(groups: readonly GroupKey[]): Column<UsageReportRow>[] {
  return [
    ...groups.map((group) => ({
      header: groupLabel(group),
      cell: (row: UsageReportRow) => <GroupCell group={group} value={row.group[group]} />,
    })),
    { header: t`Requests`, cell: (row) => formatCount(row.request_count), isNumeric: true },
    {
      header: t`Errors`,
      cell: (row) => formatErrorRate({ requests: row.request_count, errors: row.error_count }),
      isNumeric: true,
    },
    { header: t`Tokens in`, cell: (row) => formatCount(row.input_tokens), isNumeric: true, hideWhenNarrow: true },
    { header: t`Tokens out`, cell: (row) => formatCount(row.output_tokens), isNumeric: true, hideWhenNarrow: true },
    { header: t`Charged`, cell: (row) => formatNanoUsd(row.cost_nano_usd), isNumeric: true, hideWhenNarrow: true },
    { header: t`Providers`, cell: formatProviderCost, isNumeric: true, hideWhenNarrow: true },
    { header: t`Margin`, cell: (row) => formatNanoUsd(row.margin_nano_usd), isNumeric: true, hideWhenNarrow: true },
  ];
}

/** Returns what providers charge; with a mark if some of their prices are not known. */
function formatProviderCost({ provider_cost_nano_usd, unknown_cost_count }: UsageReportRow): string {
  const known = formatNanoUsd(provider_cost_nano_usd);
  return unknown_cost_count === 0 ? known : t`${known} + unknown`;
}
