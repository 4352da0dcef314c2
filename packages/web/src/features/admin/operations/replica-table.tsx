import type { OperationsReplica } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";

const COLUMNS: Column<OperationsReplica>[] = [
  { header: t`Process`, cell: ({ id }) => <span className="user-text">{id}</span> },
  {
    header: t`Address`,
    cell: ({ address }) => (address === null ? t`this one` : <span className="user-text">{address}</span>),
  },
  { header: t`Role`, cell: ({ is_leader }) => (is_leader ? <StateBadge tier="good">{t`leader`}</StateBadge> : "") },
];

/** The server processes on one database, and which of them leads. */
export function ReplicaTable({ replicas }: { replicas: readonly OperationsReplica[] }) {
  return <ListTable caption={t`Server processes`} columns={COLUMNS} items={replicas} idOf={({ id }) => id} />;
}
