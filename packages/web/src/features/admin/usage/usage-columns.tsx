import { t } from "@lingui/core/macro";
import { ModelId } from "#/components/ui/bits.tsx";
import { usd } from "#/features/billing/money.ts";
import { count } from "#/lib/format.ts";
import type { Column } from "../list/list-table.tsx";
import { errorRate, GROUPS, type Group, type UsageRow } from "./report.ts";

/** Returns a unique key of a row. */
export const idOfRow = ({ group }: UsageRow): string => JSON.stringify(group);

const labelOf = (group: Group): string => GROUPS.find(({ value }) => value === group)?.label ?? group;

function GroupCell({ group, value }: { group: Group; value: string | undefined }) {
  if (value === undefined || value === "") return <span className="dim">{t`none`}</span>;
  if (group === "model") return <ModelId id={value} />;
  if (group === "day") return <span className="num whitespace-nowrap">{value.slice(0, 10)}</span>;
  if (group === "hour") return <span className="num whitespace-nowrap">{value.slice(0, 16).replace("T", " ")}</span>;
  return <span className="mono small stranger">{value}</span>;
}

/** Returns the columns of a usage report. */
export function usageColumns(groups: readonly Group[]): Column<UsageRow>[] {
  return [
    ...groups.map((group) => ({
      head: labelOf(group),
      cell: (row: UsageRow) => <GroupCell group={group} value={row.group[group]} />,
    })),
    { head: t`Requests`, cell: (row) => count(row.request_count), figure: true },
    {
      head: t`Errors`,
      cell: (row) => errorRate({ requests: row.request_count, errors: row.error_count }),
      figure: true,
    },
    { head: t`Tokens in`, cell: (row) => count(row.input_tokens), figure: true, wide: true },
    { head: t`Tokens out`, cell: (row) => count(row.output_tokens), figure: true, wide: true },
    { head: t`Cost`, cell: (row) => usd(row.cost_nano_usd), figure: true, wide: true },
  ];
}
