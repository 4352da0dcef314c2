import type { Operations } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatBytes, formatCount, formatPercent } from "#/lib/format.ts";
import { type Stat, StatRow } from "../stats.tsx";
import { formatMilliseconds, formatRate } from "./format.ts";

/** The latest figures; skeletons while they are loading, and dashes before the first ten seconds have passed. */
export function OperationsStats({ operations }: { operations: Operations | undefined }) {
  return (
    <StatRow
      stats={operations === undefined ? LABELS.map((label) => ({ label, value: undefined })) : toStats(operations)}
    />
  );
}

const LABELS = [t`Requests per second`, t`Time to the first token`, t`Units in use`, t`Waiting calls`, t`Event loop`];
const NOTHING = "–";

function toStats({ points, units_limit }: Operations): Stat[] {
  const last = points.at(-1);
  if (last === undefined) return LABELS.map((label) => ({ label, value: NOTHING }));
  const { first_token_p50_ms: half, first_token_p95_ms: most } = last;
  const values: Omit<Stat, "label">[] = [
    {
      value: formatRate(last.requests_per_second),
      note: t`${formatRate(last.failed_per_second)} failed, ${formatRate(last.refused_per_second)} refused`,
    },
    {
      value: half === null ? NOTHING : formatMilliseconds(half),
      note: most === null ? t`no streamed calls` : t`95 % within ${formatMilliseconds(most)}`,
    },
    { value: formatCount(last.units), note: t`plans have ${formatCount(units_limit)}` },
    { value: formatCount(last.waiting_calls), note: t`of ${formatCount(last.running_calls)} calls` },
    {
      value: formatMilliseconds(last.loop_delay_ms),
      note: t`${formatPercent(last.loop_utilization, 0)} busy, ${formatBytes(last.memory_bytes)}`,
    },
  ];
  return values.map((value, index) => ({ label: LABELS[index] ?? "", ...value }));
}
