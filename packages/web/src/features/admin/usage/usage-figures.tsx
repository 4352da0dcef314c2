import { plural, t } from "@lingui/core/macro";
import { usd } from "#/features/billing/money.ts";
import { count } from "#/lib/format.ts";
import { Figures } from "../figures.tsx";
import { errorRate, type Totals } from "./report.ts";

/** The totals of a report. */
export function UsageFigures({ totals }: { totals: Totals | undefined }) {
  return (
    <div className="mb-5">
      <Figures
        figures={[
          { label: t`Requests`, value: totals && count(totals.requests) },
          { label: t`Tokens in`, value: totals && count(totals.input) },
          { label: t`Tokens out`, value: totals && count(totals.output) },
          {
            label: t`Errors`,
            value: totals && errorRate(totals),
            note: totals && plural(totals.errors, { one: "# request", other: "# requests" }),
          },
          { label: t`Charged to credits`, value: totals && usd(totals.cost) },
        ]}
      />
    </div>
  );
}
