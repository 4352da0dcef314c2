import { plural, t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { DateRange } from "#/components/ui/date-range/date-range.tsx";
import { toDay } from "#/components/ui/date-range/days.ts";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { keysQuery } from "#/entities/api-keys/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { ActivitySection } from "#/features/usage/activity-section.tsx";
import { CreditsSection } from "#/features/usage/credits-section.tsx";
import { CurrentUnits } from "#/features/usage/current-units.tsx";
import { FailuresSection } from "#/features/usage/failures-section.tsx";
import { type Period, readPeriod, toPeriod } from "#/features/usage/period.ts";
import { requestsQuery, summaryQuery, unitsQuery } from "#/features/usage/queries.ts";
import { ExportRequests } from "#/features/usage/receipts/export-requests.tsx";
import { RemovedRequests } from "#/features/usage/receipts/removed-requests.tsx";
import { RequestsSection } from "#/features/usage/receipts/requests-section.tsx";
import { UnitsSection } from "#/features/usage/units-section.tsx";
import { UsageFigures } from "#/features/usage/usage-figures.tsx";

/** The days that an empty period offers instead. */
const LONG_PERIOD_DAYS = 90;

/** The usage of the organization over a period: figures, charts and single requests. */
export default function UsagePage() {
  const [params, setParams] = useSearchParams();
  const today = toDay(new Date());
  const period = readPeriod(params, today);
  const page = parsePage(params);
  const { user } = useUser();
  const summary = useQuery(summaryQuery(period));
  const units = useQuery(unitsQuery(period));
  const requests = useQuery(requestsQuery(period, page));
  const keys = useQuery(keysQuery);
  const keyNames = new Map(keys.data?.items.map((key) => [key.id, key.name]));
  const spent = summary.data !== undefined && summary.data.totals.total_cost_nano_usd !== "0";
  const longest = toPeriod(LONG_PERIOD_DAYS, today);
  const longer = period.from > longest.from || period.to < today ? longest : null;
  const metered = user?.organization.current_subscription?.plan.billing_mode === "request_pricing";
  /** Changes the period or the page; the grouping of the charts stays. */
  const set = (change: Record<string, string>) => {
    const by = params.get("by");
    setParams({ ...period, ...(by !== null && { by }), ...change }, { replace: true });
  };

  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2">{t`Usage History`}</h1>
        <div className="row wrapping">
          <span className="visually-hidden" id="period">
            {t`Period`}
          </span>
          <DateRange
            aria-labelledby="period"
            value={period}
            today={today}
            max={today}
            isOpenEnded={false}
            onChange={({ from, to }) => set({ from, to })}
          />
          <ExportRequests period={period} total={requests.data?.pagination.total_items ?? 0} />
        </div>
      </div>
      <RemovedRequests period={period} keptSince={requests.data?.kept_since_date} />
      {requests.error && !requests.data ? null : (
        <UsageFigures period={period} summary={summary.data} units={units.data} />
      )}
      {requests.error && !requests.data ? (
        <LoadError
          subject={t`Usage`}
          error={requests.error}
          retry={() => {
            void requests.refetch();
            void summary.refetch();
          }}
        />
      ) : requests.data === undefined ? (
        <Skeleton height={200} />
      ) : requests.data.pagination.total_items === 0 && !summary.data?.totals.request_count ? (
        <NoRequests longer={longer} show={set} />
      ) : (
        <>
          <CurrentUnits receipts={requests.data.items} />
          <UnitsSection period={period} />
          <ActivitySection period={period} keyNames={keyNames} />
          {spent || metered ? <CreditsSection period={period} keyNames={keyNames} /> : null}
          <FailuresSection period={period} />
          {requests.data.pagination.total_items === 0 ? null : (
            <RequestsSection
              requests={requests.data}
              keyNames={keyNames}
              page={page}
              goToPage={(next) => set({ page: String(next) })}
            />
          )}
        </>
      )}
    </>
  );
}

/** Shown in place of the charts. `longer` is a period to offer instead, null where this one is as long. */
function NoRequests({ longer, show }: { longer: Period | null; show(period: Period): void }) {
  return (
    <EmptyState
      title={t`Nothing was called in this period`}
      action={
        <>
          <Link className="btn primary" to={paths.chat()}>
            {t`Open the chat`}
          </Link>
          {longer ? (
            <button type="button" className="btn" onClick={() => show(longer)}>
              {plural(LONG_PERIOD_DAYS, { one: "Show the last day", other: "Show the last # days" })}
            </button>
          ) : null}
        </>
      }
    >
      {t`Every request to a model stands here with its tokens, speed and units, as soon as it ended.`}
    </EmptyState>
  );
}

const parsePage = (params: URLSearchParams): number => Math.max(1, Math.floor(Number(params.get("page"))) || 1);

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  const params = new URLSearchParams(search);
  const period = readPeriod(params, toDay(new Date()));
  await Promise.all([
    client.prefetchQuery(summaryQuery(period)),
    client.prefetchQuery(unitsQuery(period)),
    client.prefetchQuery(requestsQuery(period, parsePage(params))),
    client.prefetchQuery(keysQuery),
  ]);
}
