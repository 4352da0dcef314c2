import type { Result } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { formatCount } from "../../output/format.ts";
import type { Column } from "../../output/table.ts";
import { formatDuration, formatRfc3339 } from "../../output/time.ts";

type RunningRequest = Result<"concurrency.get">["requests"][number];

/** Fields that `--json` accepts with `--live`. */
export const LIVE_FIELDS = [
  "id",
  "cost",
  "model",
  "started_at",
  "duration_ms",
] as const satisfies readonly (keyof RunningRequest)[];

/** Prints the units in use now, and the requests that hold them. */
export async function printLiveUsage({ client, output, signal }: Context): Promise<void> {
  const now = await (await client()).concurrency.get({ signal });
  const { limit, used_cost: used, requests } = now;
  const barbsPrefix = limit !== null && limit <= 8 ? `${output.barbs(used, limit)} ` : "";
  output.hint(`${barbsPrefix}${formatCount(used)}${limit === null ? "" : ` of ${formatCount(limit)}`} units in use\n`);
  output.printList(
    { columns: COLUMNS, id: ({ id }) => id, noun: "requests", empty: "Nothing is running." },
    requests,
    now,
  );
}

const COLUMNS: readonly Column<RunningRequest>[] = [
  { header: "MODEL", cell: ({ model }) => model, paint: (text, style) => style.bold(text) },
  { header: "UNITS", cell: ({ cost }) => String(cost), align: "right" },
  {
    header: "FOR",
    cell: ({ duration_ms }) => formatDuration(duration_ms),
    plain: ({ started_at }) => formatRfc3339(started_at),
    align: "right",
  },
  { header: "REQUEST", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
];
