import type { StorePull } from "@feather/sdk";
import { formatBytes, formatPercent } from "@feather/sdk/format";
import type { Column } from "../output/table.ts";
import { formatAgo } from "../output/time.ts";

/** Returns the downloaded amount: `1.2 GB of 4.7 GB`. */
export function formatAmount({ bytes_done: done, bytes_total: total }: StorePull): string {
  return total === null ? formatBytes(done) : `${formatBytes(done)} of ${formatBytes(total)}`;
}

/** Returns the columns of downloads. */
export function pullColumns(now: Date): readonly Column<StorePull>[] {
  return [
    { header: "MODEL", cell: (pull) => pull.model_id, paint: (text, style) => style.bold(text) },
    {
      header: "STATE",
      cell: ({ state, error }) => (error === null ? state : `${state}: ${error}`),
      plain: ({ state }) => state,
      paint: (text, style, { state }) => (state === "failed" ? style.red(text) : text),
    },
    {
      header: "DONE",
      cell: ({ bytes_done, bytes_total }) => (bytes_total ? formatPercent(bytes_done / bytes_total) : ""),
      plain: ({ bytes_done }) => String(bytes_done),
      align: "right",
    },
    {
      header: "SIZE",
      cell: formatAmount,
      plain: ({ bytes_total }) => String(bytes_total ?? ""),
      align: "right",
      dropOrder: 2,
    },
    {
      header: "BEGUN",
      cell: ({ created_at }) => formatAgo(new Date(created_at), now),
      plain: ({ created_at }) => new Date(created_at).toISOString(),
      dropOrder: 3,
    },
    { header: "FILE", cell: ({ file }) => file, dropOrder: 4 },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
  ];
}
