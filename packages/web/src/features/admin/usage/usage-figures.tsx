import { usd } from "#/features/billing/money.ts";
import { count } from "#/lib/format.ts";
import { Figures } from "../figures.tsx";
import { errorRate, type Totals } from "./report.ts";

/** What a report comes to. */
export function UsageFigures({ totals }: { totals: Totals | undefined }) {
  return (
    <div className="mb-5">
      <Figures
        figures={[
          { label: "Requests", value: totals && count(totals.requests) },
          { label: "Tokens in", value: totals && count(totals.input) },
          { label: "Tokens out", value: totals && count(totals.output) },
          { label: "Errors", value: totals && errorRate(totals), note: totals && `${count(totals.errors)} requests` },
          { label: "Charged to credits", value: totals && usd(totals.cost) },
        ]}
      />
    </div>
  );
}
