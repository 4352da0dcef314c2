import type { RevenuePlan } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { formatCents } from "#/entities/money/money.ts";
import { formatCount } from "#/lib/format.ts";

const COLUMNS: Column<RevenuePlan>[] = [
  {
    header: t`Plan`,
    cell: ({ plan_id, name }) => (
      <Link className="link strong user-text" to={`/admin/plans/${plan_id}`}>
        {name}
      </Link>
    ),
  },
  { header: t`Subscriptions`, cell: ({ subscription_count }) => formatCount(subscription_count), isNumeric: true },
  { header: t`Quantity`, cell: ({ unit_count }) => formatCount(unit_count), isNumeric: true, hideWhenNarrow: true },
  { header: t`Recurring a month`, cell: ({ mrr_usd_cents }) => formatCents(mrr_usd_cents), isNumeric: true },
];

/** The recurring revenue of each plan. */
export function PlanRevenue({ plans }: { plans: readonly RevenuePlan[] }) {
  return (
    <section className="mt-8">
      <h2 className="h4 mb-3">{t`By plan`}</h2>
      {plans.length === 0 ? (
        <p className="muted">{t`Nobody pays for a plan yet.`}</p>
      ) : (
        <ListTable
          caption={t`Recurring revenue by plan`}
          columns={COLUMNS}
          items={plans}
          idOf={({ plan_id }) => plan_id}
          nameOf={({ name }) => name}
        />
      )}
    </section>
  );
}
