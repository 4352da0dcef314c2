import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import { Barbs, EmptyState, Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { paths } from "#/config/paths.ts";
import { keysQuery } from "#/features/api-keys/queries.ts";
import { ActivitySection } from "#/features/usage/activity-section.tsx";
import { ExportRequests } from "#/features/usage/export-requests.tsx";
import { requestsQuery, summaryQuery, unitsQuery } from "#/features/usage/queries.ts";
import { ReceiptsTable } from "#/features/usage/receipts-table.tsx";
import { UnitsLanes } from "#/features/usage/units-lanes.tsx";
import { feather } from "#/lib/feather.ts";
import { count, percent } from "#/lib/format.ts";

const PERIODS = [1, 7, 30, 90];
const MINUTE = 60_000;

export default function UsagePage() {
  const [params, setParams] = useSearchParams();
  const days = PERIODS.find((period) => String(period) === params.get("days")) ?? 30;
  const page = Math.max(1, Number(params.get("page")) || 1);
  const summary = useQuery(summaryQuery(days));
  const units = useQuery(unitsQuery(days));
  const requests = useQuery(requestsQuery(days, page));
  const keys = useQuery(keysQuery);
  const live = useQuery({
    queryKey: ["concurrency"],
    queryFn: async () => feather.concurrency.get(),
    refetchInterval: 5_000,
  });
  const keyNames = new Map(keys.data?.items.map((key) => [key.id, key.name]));
  const to = Date.now();
  const held = [
    ...(requests.data?.items ?? []).map(({ id, started_at, duration_ms, units: taken }) => ({
      id,
      start: started_at.getTime(),
      end: started_at.getTime() + duration_ms,
      units: taken,
    })),
    ...(live.data?.requests ?? []).map(({ id, started_at, cost }) => ({
      id,
      start: Number(started_at),
      end: to,
      units: cost,
    })),
  ].filter((request) => request.end > to - 10 * MINUTE);
  /** A choice about the list; what the chart shows stays. */
  const set = (change: Record<string, string>) => {
    const by = params.get("by");
    setParams({ days: String(days), ...(by !== null && { by }), ...change }, { replace: true });
  };

  return (
    <>
      <div className="row between wraps">
        <h1 className="h2">{t`Usage History`}</h1>
        <div className="row">
          <select
            className="input"
            style={{ width: "auto" }}
            aria-label={t`Period`}
            value={days}
            onChange={(event) => set({ days: event.target.value })}
          >
            {PERIODS.map((period) => (
              <option key={period} value={period}>
                {plural(period, { one: "Last day", other: "Last # days" })}
              </option>
            ))}
          </select>
          <ExportRequests days={days} total={requests.data?.pagination.total_items ?? 0} />
        </div>
      </div>
      <Figures summary={summary.data} units={units.data} />
      {requests.error && !requests.data ? (
        <ReadFault
          what={t`Usage`}
          error={requests.error}
          again={() => {
            void requests.refetch();
            void summary.refetch();
          }}
        />
      ) : requests.data === undefined ? (
        <Skeleton height={200} />
      ) : requests.data.pagination.total_items === 0 ? (
        <EmptyState
          title={t`Nothing was called yet`}
          action={
            <Link className="btn primary" to={paths.chat()}>
              {t`Open the chat`}
            </Link>
          }
        >
          {t`Every request to a model stands here with its tokens, speed and units, as soon as it ended.`}
        </EmptyState>
      ) : (
        <>
          <div className="row between mt-8">
            <h2 className="h4">{t`Units in use`}</h2>
            {live.data ? (
              <span className="row small mid num">
                <Barbs on={live.data.used_cost} of={live.data.limit ?? 4} />
                <Trans>
                  {live.data.used_cost} of {live.data.limit ?? t`unlimited`} now
                </Trans>
              </span>
            ) : null}
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide lanes are scrolled by keyboard too */}
          <section className="mt-4 lanes-box" tabIndex={0} aria-label={t`Units over time`}>
            <UnitsLanes requests={held} limit={Math.min(live.data?.limit ?? 4, 8)} from={to - 10 * MINUTE} to={to} />
          </section>
          <ActivitySection days={days} keyNames={keyNames} />
          <h2 className="h4 mt-8">{t`Requests`}</h2>
          <ReceiptsTable receipts={requests.data.items} keyNames={keyNames} />
          <div className="row between mt-4">
            <button type="button" className="btn" disabled={page === 1} onClick={() => set({ page: String(page - 1) })}>
              {t`Newer`}
            </button>
            <span className="small mid num">
              <Trans>
                {page} of {requests.data.pagination.total_pages}
              </Trans>
            </span>
            <button
              type="button"
              className="btn"
              disabled={page >= requests.data.pagination.total_pages}
              onClick={() => set({ page: String(page + 1) })}
            >
              {t`Older`}
            </button>
          </div>
        </>
      )}
    </>
  );
}

type Summary = Awaited<ReturnType<typeof feather.usage.activity.summary>>;
type Units = Awaited<ReturnType<typeof feather.usage.concurrencies>>;

function Figures({ summary, units }: { summary: Summary | undefined; units: Units | undefined }) {
  const refused = units?.items.reduce((sum, item) => sum + item.rejected, 0) ?? 0;
  const called = summary?.totals.request_count ?? 0;
  const figures: [string, string | null, string][] = [
    [t`Requests`, summary ? count(called) : null, ""],
    [
      t`Tokens`,
      summary ? count(summary.totals.total_tokens) : null,
      summary ? t`${count(summary.totals.input_tokens)} in, ${count(summary.totals.output_tokens)} out` : "",
    ],
    [t`Peak units`, units ? t`${units.peak} of ${units.limit ?? "∞"}` : null, ""],
    [
      t`Refused at the limit`,
      units && summary ? percent(refused / Math.max(1, called + refused)) : null,
      units ? plural(refused, { one: "# request", other: "# requests" }) : "",
    ],
  ];
  return (
    <div className="kpis mt-6">
      {figures.map(([label, value, note]) => (
        <div key={label}>
          <div className="label">{label}</div>
          <div className="v">{value ?? <Skeleton width={80} height={28} />}</div>
          <div className="dim small num">{note}</div>
        </div>
      ))}
    </div>
  );
}
