import { plural, t } from "@lingui/core/macro";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { formatCount } from "#/lib/format.ts";
import { StatRow } from "../stats.tsx";
import { formatErrorRate, type Totals } from "./report.ts";

/** The totals of a report. */
export function UsageStats({ totals }: { totals: Totals | undefined }) {
  return (
    <div className="mb-5">
      <StatRow
        stats={[
          { label: t`Requests`, value: totals && formatCount(totals.requests) },
          { label: t`Tokens in`, value: totals && formatCount(totals.input) },
          { label: t`Tokens out`, value: totals && formatCount(totals.output) },
          {
            label: t`Errors`,
            value: totals && formatErrorRate(totals),
            note: totals && plural(totals.errors, { one: "# request", other: "# requests" }),
          },
          { label: t`Charged to credits`, value: totals && formatNanoUsd(totals.cost) },
        ]}
      />
    </div>
  );
}
