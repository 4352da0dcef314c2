import type { User } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { changeParams, readList } from "#/components/list/list-params.ts";
import { toDay } from "#/components/ui/date-range/days.ts";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { keysQuery } from "#/entities/api-keys/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { Tabs } from "#/features/admin/tabs.tsx";
import { ActivitySection } from "#/features/usage/activity-section.tsx";
import { CreditsSection } from "#/features/usage/credits-section.tsx";
import { CurrentUnits } from "#/features/usage/current-units.tsx";
import { FailuresSection } from "#/features/usage/failures-section.tsx";
import { type Period, readPeriod, toPeriod } from "#/features/usage/period.ts";
import { PeriodPicker } from "#/features/usage/period-picker.tsx";
import { latestQuery, summaryQuery, unitsQuery } from "#/features/usage/queries.ts";
import { requestsQuery } from "#/features/usage/requests/queries.ts";
import { RemovedRequests } from "#/features/usage/requests/removed-requests.tsx";
import { createEmptyFilters, toRequestsQuery } from "#/features/usage/requests/request-filters.ts";
import { RequestsList } from "#/features/usage/requests/requests-list.tsx";
import { UnitsSection } from "#/features/usage/units-section.tsx";
import { UsageFigures } from "#/features/usage/usage-figures.tsx";

/** The days that an empty period offers instead. */
const LONG_PERIOD_DAYS = 90;
const VIEW_PARAMETER = "view";
const REQUESTS_VIEW = "requests";

/** The usage of the organization over a period: figures and charts, and with `?view=requests` the single requests. */
export default function UsagePage() {
  const [params, setParams] = useSearchParams();
  const { user } = useUser();
  const today = toDay(new Date());
  const period = readPeriod(params, today);
  const longest = toPeriod(LONG_PERIOD_DAYS, today);
  const longer = period.from > longest.from || period.to < today ? longest : null;
  const setPeriod = ({ from, to }: Period) =>
    setParams((current) => changeParams(current, { from, to }), { replace: true });
  const empty = {
    title: t`Nothing was called in this period`,
    text: t`Every request to a model stands here with its tokens, speed and units, as soon as it ended.`,
    action: <EmptyActions longer={longer} show={setPeriod} />,
  };

  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2">{t`Usage History`}</h1>
        <PeriodPicker period={period} today={today} onChange={setPeriod} />
      </div>
      <Tabs
        label={t`Usage`}
        name={VIEW_PARAMETER}
        tabs={[
          { value: "overview", label: t`Overview` },
          { value: REQUESTS_VIEW, label: t`Requests` },
        ]}
      />
      {user === null ? null : params.get(VIEW_PARAMETER) === REQUESTS_VIEW ? (
        <RequestsList user={user} period={period} empty={empty} />
      ) : (
        <Overview user={user} period={period} empty={<EmptyState {...empty}>{empty.text}</EmptyState>} />
      )}
    </>
  );
}

/** Figures and charts of a period. `empty` is shown in place of the charts while nothing was called. */
function Overview({ user, period, empty }: { user: User; period: Period; empty: ReactNode }) {
  const summary = useQuery(summaryQuery(period));
  const units = useQuery(unitsQuery(period));
  const requests = useQuery(latestQuery(period));
  const keys = useQuery(keysQuery);
  const keyNames = new Map(keys.data?.items.map((key) => [key.id, key.name]));
  const spent = summary.data !== undefined && summary.data.totals.total_cost_nano_usd !== "0";
  const metered = user.organization.current_subscription?.plan.billing_mode === "request_pricing";
  if (requests.error && !requests.data)
    return (
      <LoadError
        subject={t`Usage`}
        error={requests.error}
        retry={() => {
          void requests.refetch();
          void summary.refetch();
        }}
      />
    );
  return (
    <>
      <RemovedRequests period={period} keptSince={requests.data?.kept_since_date} />
      <UsageFigures period={period} summary={summary.data} units={units.data} />
      {requests.data === undefined ? (
        <Skeleton height={200} />
      ) : requests.data.pagination.total_items === 0 && !summary.data?.totals.request_count ? (
        empty
      ) : (
        <>
          <CurrentUnits receipts={requests.data.items} />
          <UnitsSection period={period} />
          <ActivitySection period={period} keyNames={keyNames} />
          {spent || metered ? <CreditsSection period={period} keyNames={keyNames} /> : null}
          <FailuresSection period={period} />
        </>
      )}
    </>
  );
}

/** What to do where nothing was called. `longer` is a period to offer instead, null where this one is as long. */
function EmptyActions({ longer, show }: { longer: Period | null; show(period: Period): void }) {
  return (
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
  );
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  const params = new URLSearchParams(search);
  const period = readPeriod(params, toDay(new Date()));
  const list = readList(search, createEmptyFilters());
  await Promise.all(
    params.get(VIEW_PARAMETER) === REQUESTS_VIEW
      ? [client.prefetchQuery(requestsQuery(toRequestsQuery(period, list))), client.prefetchQuery(keysQuery)]
      : [
          client.prefetchQuery(summaryQuery(period)),
          client.prefetchQuery(unitsQuery(period)),
          client.prefetchQuery(latestQuery(period)),
          client.prefetchQuery(keysQuery),
        ],
  );
}
