import type { OperationsRuntime } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { formatBytes } from "#/lib/format.ts";
import { stateLabel } from "./labels.ts";

const COLUMNS: Column<OperationsRuntime>[] = [
  { header: t`Program`, cell: ({ name }) => name },
  {
    header: t`Models`,
    cell: ({ models }) => (
      <span className="small">{models.map(({ name, count }) => `${count} ${stateLabel(name)}`).join(", ")}</span>
    ),
  },
  {
    header: t`Memory`,
    cell: ({ reserved_bytes, memory_bytes }) => t`${formatBytes(reserved_bytes)} of ${formatBytes(memory_bytes)}`,
    isNumeric: true,
  },
];

/** What runs models on this machine, and the memory that is reserved for them. */
export function RuntimeTable({ runtimes }: { runtimes: readonly OperationsRuntime[] }) {
  return <ListTable caption={t`Models on this machine`} columns={COLUMNS} items={runtimes} idOf={({ name }) => name} />;
}
