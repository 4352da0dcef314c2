import type { OperationsBackend } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatCount } from "#/lib/format.ts";

const COLUMNS: Column<OperationsBackend>[] = [
  { header: t`Backend`, cell: ({ name }) => <span className="user-text">{name}</span> },
  {
    header: t`State`,
    cell: ({ is_up }) => (
      <span className="small">
        <StateBadge tier={is_up ? "warm" : "bad"}>{is_up ? t`used` : t`not used`}</StateBadge>
      </span>
    ),
  },
  { header: t`Running calls`, cell: ({ running_calls }) => formatCount(running_calls), isNumeric: true },
];

/** The backends with their running calls. */
export function BackendTable({ backends }: { backends: readonly OperationsBackend[] }) {
  return <ListTable caption={t`Backends`} columns={COLUMNS} items={backends} idOf={({ name }) => name} />;
}
