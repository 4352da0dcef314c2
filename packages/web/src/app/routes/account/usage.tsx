import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import { LoadError } from "#/components/ui/error-notice.tsx";
import { EmptyState, Skeleton } from "#/components/ui/primitives.tsx";
import { Select } from "#/components/ui/select.tsx";
import { paths } from "#/config/paths.ts";
import { keysQuery } from "#/entities/api-keys/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { ActivitySection } from "#/features/usage/activity-section.tsx";
import { CreditsSection } from "#/features/usage/credits-section.tsx";
import { CurrentUnits } from "#/features/usage/current-units.tsx";
import { ExportRequests } from "#/features/usage/export-requests.tsx";
import { FailuresSection } from "#/features/usage/failures-section.tsx";
import { requestsQuery, summaryQuery, unitsQuery } from "#/features/usage/queries.ts";
import { RequestsSection } from "#/features/usage/requests-section.tsx";
import { UnitsSection } from "#/features/usage/units-section.tsx";
import { UsageFigures } from "#/features/usage/usage-figures.tsx";

const PERIODS = [1, 7, 30, 90];
const MAX_DAYS = 90;

/** The usage of the organization over a period: figures, charts and single requests. */
export default function UsagePage() {
  const [params, setParams] = useSearchParams();
  const days = PERIODS.find((period) => String(period) === params.get("days")) ?? 30;
  const page = Math.max(1, Math.floor(Number(params.get("page"))) || 1);
  const { user } = useUser();
  const summary = useQuery(summaryQuery(days));
  const units = useQuery(unitsQuery(days));
  const requests = useQuery(requestsQuery(days, page));
  const keys = useQuery(keysQuery);
  const keyNames = new Map(keys.data?.items.map((key) => [key.id, key.name]));
  const spent = summary.data !== undefined && summary.data.totals.total_cost_nano_usd !== "0";
  const metered = user?.organization.current_subscription?.plan.billing_mode === "request_pricing";
  /** Changes the period or the page; the grouping of the charts stays. */
  const set = (change: Record<string, string>) => {
    const by = params.get("by");
    setParams({ days: String(days), ...(by !== null && { by }), ...change }, { replace: true });
  };

  return (
    <>
      <div className="row between wraps">
        <h1 className="h2">{t`Usage History`}</h1>
        <div className="row">
          <Select
            look="button"
            aria-label={t`Period`}
            value={String(days)}
            options={PERIODS.map((period) => ({
              value: String(period),
              label: plural(period, { one: "Last day", other: "Last # days" }),
            }))}
            onChange={(value) => set({ days: value })}
          />
          <ExportRequests days={days} total={requests.data?.pagination.total_items ?? 0} />
        </div>
      </div>
      {requests.error && !requests.data ? null : <UsageFigures days={days} summary={summary.data} units={units.data} />}
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
      ) : requests.data.pagination.total_items === 0 ? (
        <NoRequests days={days} showAll={() => set({ days: String(MAX_DAYS) })} />
      ) : (
        <>
          <CurrentUnits receipts={requests.data.items} />
          <UnitsSection days={days} />
          <ActivitySection days={days} keyNames={keyNames} />
          {spent || metered ? <CreditsSection days={days} keyNames={keyNames} /> : null}
          <FailuresSection days={days} />
          <RequestsSection
            requests={requests.data}
            keyNames={keyNames}
            page={page}
            goToPage={(next) => set({ page: String(next) })}
          />
        </>
      )}
    </>
  );
}

function NoRequests({ days, showAll }: { days: number; showAll(): void }) {
  return (
    <EmptyState
      title={plural(days, {
        one: "Nothing was called in the last day",
        other: "Nothing was called in the last # days",
      })}
      action={
        <>
          <Link className="btn primary" to={paths.chat()}>
            {t`Open the chat`}
          </Link>
          {days < MAX_DAYS ? (
            <button type="button" className="btn" onClick={showAll}>
              {plural(MAX_DAYS, { one: "Show the last day", other: "Show the last # days" })}
            </button>
          ) : null}
        </>
      }
    >
      {t`Every request to a model stands here with its tokens, speed and units, as soon as it ended.`}
    </EmptyState>
  );
}
