import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ChartFigure } from "#/components/chart/chart-figure.tsx";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { Select } from "#/components/ui/controls/select.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { TestNote } from "#/entities/billing/test-note.tsx";
import { CurrencyRevenue } from "#/features/admin/revenue/currency-revenue.tsx";
import { MarketplaceRevenue } from "#/features/admin/revenue/marketplace-revenue.tsx";
import { MonthRevenue } from "#/features/admin/revenue/month-revenue.tsx";
import { createRevenueChart, MONTH_CHOICES, readMonths, toRevenueCsv } from "#/features/admin/revenue/months.ts";
import { PlanRevenue } from "#/features/admin/revenue/plan-revenue.tsx";
import { lastPayoutsQuery, revenueQuery } from "#/features/admin/revenue/queries.ts";
import { RevenueStats } from "#/features/admin/revenue/revenue-stats.tsx";
import { downloadText } from "#/lib/browser/download-text.ts";

/** What plans and credits bring in: now, by plan and by month, with CSV export. */
export default function AdminRevenuePage() {
  const [params, setParams] = useSearchParams();
  const count = readMonths(params.get("months"));
  const { data, error, refetch } = useQuery(revenueQuery(count));
  const payouts = useQuery(lastPayoutsQuery);
  const exportCsv = () => data && downloadText("revenue.csv", "text/csv", toRevenueCsv(data.months));
  return (
    <>
      <PageHeader
        title={t`Revenue`}
        description={t`What plans and credits bring in, without tax. Months are those of UTC. Plans that were granted or bought at a marketplace are not in it; what marketplaces bill besides is a column of its own.`}
        action={
          <span className="row">
            <Select
              look="button"
              aria-label={t`Period`}
              value={String(count)}
              options={MONTH_CHOICES.map((months) => ({ value: String(months), label: t`${months} months` }))}
              onChange={(months) => setParams({ months }, { replace: true })}
            />
            <button type="button" className="btn" disabled={!data} onClick={exportCsv}>
              {t`Export CSV`}
            </button>
          </span>
        }
      />
      {data?.is_test ? (
        <div className="mb-5">
          <TestNote />
        </div>
      ) : null}
      {data === undefined && error ? (
        <LoadError subject={t`The report of revenue`} error={error} retry={() => void refetch()} />
      ) : (
        <RevenueStats report={data} />
      )}
      {data ? (
        <>
          <div className="mt-4">
            <ChartFigure
              chart={createRevenueChart(data.months)}
              label={t`Paid by month`}
              emptyText={t`Nothing was paid in this time.`}
              hasTable={false}
            />
          </div>
          <PlanRevenue plans={data.plans} />
          <MonthRevenue months={data.months} />
          <CurrencyRevenue months={data.months} />
          {payouts.data ? (
            <MarketplaceRevenue payouts={payouts.data} isTest={data.is_metered_test} />
          ) : payouts.error ? (
            <div className="mt-8">
              <LoadError
                subject={t`What marketplaces owe`}
                error={payouts.error}
                retry={() => void payouts.refetch()}
              />
            </div>
          ) : null}
        </>
      ) : error ? null : (
        <Skeleton height={480} />
      )}
    </>
  );
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  await Promise.all([
    client.prefetchQuery(revenueQuery(readMonths(new URLSearchParams(search).get("months")))),
    client.prefetchQuery(lastPayoutsQuery),
  ]);
}
