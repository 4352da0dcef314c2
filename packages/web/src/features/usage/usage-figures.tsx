import type { ActivitySummary, ConcurrencyReport } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { formatCount, formatPercent } from "#/lib/format.ts";
import { isHourly, type Period } from "./period.ts";
import { countFullSlices } from "./units.ts";

type Props = { period: Period; summary: ActivitySummary | undefined; units: ConcurrencyReport | undefined };

/** Four figures that summarize a period. */
export function UsageFigures({ period, summary, units }: Props) {
  const refused = units?.items.reduce((sum, item) => sum + item.rejected, 0) ?? 0;
  const hasUnits = units !== undefined && units.items.length > 0; // not of a time whose requests were removed
  const called = summary?.totals.request_count ?? 0;
  const figures: [string, string | null, string][] = [
    [t`Requests`, summary ? formatCount(called) : null, ""],
    [
      t`Tokens`,
      summary ? formatCount(summary.totals.total_tokens) : null,
      summary
        ? t`${formatCount(summary.totals.input_tokens)} in, ${formatCount(summary.totals.output_tokens)} out`
        : "",
    ],
    [
      t`Peak units`,
      units ? (hasUnits ? t`${units.peak} of ${units.limit ?? "∞"}` : "–") : null,
      units ? describeFullSlices(period, units) : "",
    ],
    [
      t`Refused at the limit`,
      units && summary ? (hasUnits ? formatPercent(refused / Math.max(1, called + refused)) : "–") : null,
      hasUnits ? plural(refused, { one: "# request", other: "# requests" }) : "",
    ],
  ];
  return (
    <div className="kpis mt-6">
      {figures.map(([label, value, note]) => (
        <div key={label}>
          <div className="label">{label}</div>
          <div className="v">{value ?? <Skeleton width={80} height={28} />}</div>
          <div className="faint small num">{note}</div>
        </div>
      ))}
    </div>
  );
}

function describeFullSlices(period: Period, units: ConcurrencyReport): string {
  const times = countFullSlices(units);
  if (times === 0) return "";
  return isHourly(period)
    ? plural(times, { one: "all in use in # hour", other: "all in use in # hours" })
    : plural(times, { one: "all in use on # day", other: "all in use on # days" });
}
