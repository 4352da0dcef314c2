import type { RevenueReport } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { formatCents } from "#/entities/money/money.ts";
import { formatCount, formatShortPercent } from "#/lib/format.ts";
import { StatRow } from "../stats.tsx";

/** What comes in a month now, and how the current month goes. */
export function RevenueStats({ report }: { report: RevenueReport | undefined }) {
  const [current, before] = report?.months ?? [];
  return (
    <div className="mb-5">
      <StatRow
        stats={[
          {
            label: t`Recurring a month`,
            value: report && formatCents(report.mrr_usd_cents),
            note: report && t`before coupons and tax`,
          },
          {
            label: t`Paid plans`,
            value: report && formatCount(report.subscription_count),
            note: report && describePlans(report),
          },
          {
            label: t`Paid this month`,
            value: current && formatCents(current.plan_usd_cents + current.credits_usd_cents),
            note: before && t`${formatCents(before.plan_usd_cents + before.credits_usd_cents)} in the month before`,
          },
          {
            label: t`Failed payments this month`,
            value: current && formatCount(current.failed_payment_count),
            note: current && formatCents(current.failed_payment_usd_cents),
          },
          {
            label: t`Ended this month`,
            value: current && formatCount(current.ended_count),
            note: current && describeChurn(current.churn_percent),
          },
        ]}
      />
    </div>
  );
}

function describePlans({ trial_count, past_due_count, canceling_count }: RevenueReport): string {
  return [
    plural(trial_count, { one: "# trial", other: "# trials" }),
    ...(past_due_count > 0 ? [t`${formatCount(past_due_count)} past due`] : []),
    ...(canceling_count > 0 ? [t`${formatCount(canceling_count)} canceled`] : []),
  ].join(", ");
}

const describeChurn = (churn: number | null): string =>
  churn === null ? t`no plans at its start` : t`${formatShortPercent(churn)} of those at its start`;
