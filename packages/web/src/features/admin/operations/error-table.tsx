import type { OperationsCount } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { formatCount } from "#/lib/format.ts";

const COLUMNS: Column<OperationsCount>[] = [
  { header: t`Code`, cell: ({ name }) => <span className="mono small user-text">{name}</span> },
  { header: t`Times`, cell: ({ count }) => formatCount(count), isNumeric: true },
];

/** The most frequent error codes since the start. */
export function ErrorTable({ errors }: { errors: readonly OperationsCount[] }) {
  return <ListTable caption={t`Errors since the start`} columns={COLUMNS} items={errors} idOf={({ name }) => name} />;
}
