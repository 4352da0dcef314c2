import { plural, t } from "@lingui/core/macro";
import { formatNanoUsd, isZero } from "#/entities/money/money.ts";
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
          ...(totals && hasProviderCosts(totals) ? createMarginStats(totals) : []),
        ]}
      />
    </div>
  );
}

const hasProviderCosts = ({ providerCost, unknownCosts }: Totals) => !isZero(providerCost) || unknownCosts > 0;

const createMarginStats = ({ providerCost, margin, unknownCosts }: Totals) => [
  {
    label: t`Charged by providers`,
    value: formatNanoUsd(providerCost),
    ...(unknownCosts > 0 && {
      note: plural(unknownCosts, { one: "# request at an unknown price", other: "# requests at unknown prices" }),
    }),
  },
  { label: t`Margin`, value: formatNanoUsd(margin), note: t`flat plans charge nothing for a request` },
];
