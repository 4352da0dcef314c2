import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ChartSection } from "#/components/chart/chart-section.tsx";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { changeParams } from "#/components/list/list-params.ts";
import { Select } from "#/components/ui/controls/select.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { BackendState } from "#/features/admin/backends/backend-state.tsx";
import { backendsQuery } from "#/features/admin/backends/queries.ts";
import { modelRequestsQuery } from "#/features/admin/models/queries.ts";
import { createDailyChart } from "#/features/admin/overview/daily-chart.ts";
import { Panel } from "#/features/admin/overview/panel.tsx";
import { totalQueries } from "#/features/admin/overview/queries.ts";
import { prefetchSetupChecklist, SetupChecklist } from "#/features/admin/overview/setup-checklist.tsx";
import { TodoPanel } from "#/features/admin/overview/todo-panel.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { StatRow } from "#/features/admin/stats.tsx";
import { usageQuery } from "#/features/admin/system/queries.ts";
import {
  fillDays,
  formatErrorRate,
  type Period,
  readPeriod,
  sumTotals,
  toReportBody,
} from "#/features/admin/usage/report.ts";
import { formatCount, formatIsoDay } from "#/lib/format.ts";
import { DAY_MS } from "#/lib/time.ts";
import styles from "./overview.module.css";

const PERIODS = [7, 30, 90];
const MAX_PANEL_ROWS = 5;

const parseDays = (params: URLSearchParams): number =>
  PERIODS.find((period) => String(period) === params.get("days")) ?? PERIODS[0] ?? 7;

const toPeriod = (days: number, now: Date): Period =>
  readPeriod(formatIsoDay(new Date(now.getTime() - (days - 1) * DAY_MS)), undefined, now);

/** The start page of the admin area: activity of the platform, and what needs attention. */
export default function AdminPage() {
  const [params, setParams] = useSearchParams();
  const days = parseDays(params);
  const now = useMemo(() => new Date(), []);
  const period = toPeriod(days, now);
  return (
    <>
      <PageHeader
        title={t`Admin`}
        description={t`How the platform is doing, and what waits for somebody.`}
        action={
          <Select
            look="button"
            aria-label={t`Period`}
            value={String(days)}
            options={PERIODS.map((some) => ({
              value: String(some),
              label: plural(some, { one: "Last day", other: "Last # days" }),
            }))}
            onChange={(value) => setParams((before) => changeParams(before, { days: value }), { replace: true })}
          />
        }
      />
      <SetupChecklist />
      <Activity period={period} />
      <div className={styles.panels}>
        <TodoPanel />
        <BackendsPanel />
        <RequestsPanel />
        <ModelsPanel period={period} />
      </div>
    </>
  );
}

function Activity({ period }: { period: Period }) {
  const usage = useQuery(usageQuery(toReportBody(period, ["day"])));
  const users = useQuery(totalQueries.users);
  const newUsers = useQuery(totalQueries.newUsers(period.from));
  const sums = usage.data && sumTotals(usage.data.items);
  const link = `${adminPaths.usage}?from=${period.from}&to=${period.to}`;
  if (usage.isError) return <LoadError subject={t`Usage`} error={usage.error} retry={() => void usage.refetch()} />;
  return (
    <>
      <StatRow
        stats={[
          {
            label: t`Users`,
            value: users.isError ? t`unknown` : users.data === undefined ? undefined : formatCount(users.data),
            note: newUsers.data === undefined ? undefined : t`${formatCount(newUsers.data)} new`,
            to: adminPaths.users,
          },
          {
            label: t`Requests`,
            value: sums && formatCount(sums.requests),
            note: sums && t`${formatCount(sums.errors)} failed`,
            to: link,
          },
          {
            label: t`Tokens`,
            value: sums && formatCount(sums.input + sums.output),
            note: sums && t`${formatCount(sums.input)} in, ${formatCount(sums.output)} out`,
            to: `${link}&by=model`,
          },
          { label: t`Error rate`, value: sums && formatErrorRate(sums), to: `${link}&by=outcome` },
          { label: t`Charged to credits`, value: sums && formatNanoUsd(sums.cost), to: `${link}&by=organization` },
        ]}
      />
      <ChartSection
        title={t`Requests by day`}
        chart={usage.data && createDailyChart(fillDays(usage.data.items, period))}
        error={null}
        retry={() => void usage.refetch()}
        file={`requests-${period.from}-${period.to}`}
        exportLabel={t`Export requests as CSV`}
        emptyText={t`Nothing was called in this time. The first request stands here a moment after it ended.`}
      />
    </>
  );
}

function BackendsPanel() {
  const backends = useQuery(backendsQuery);
  return (
    <Panel title={t`Backends`} to={adminPaths.backends} linkLabel={t`All backends`} query={backends}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="muted mt-4">{t`None yet: no model can run.`}</p>
        ) : (
          <ul>
            {items.map((backend) => (
              <li key={backend.id}>
                <span className="user-text">{backend.name}</span>
                <span className="row">
                  <span className="small faint num">
                    <Trans>
                      <Plural value={backend.models.length} one="# model" other="# models" />,{" "}
                      {formatCount(backend.in_flight)} running
                    </Trans>
                  </span>
                  <BackendState backend={backend} />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}

function RequestsPanel() {
  const requests = useQuery(modelRequestsQuery({ perPage: MAX_PANEL_ROWS }));
  return (
    <Panel title={t`Models asked for`} to={adminPaths.modelRequests} linkLabel={t`All requests`} query={requests}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="muted mt-4">{t`Nobody asks for a model just now.`}</p>
        ) : (
          <ul>
            {items.map((item) => (
              <li key={item.model_id}>
                <Link
                  to={item.in_catalogue ? adminPaths.model(item.model_id) : adminPaths.importModels([item.model_id])}
                >
                  <ModelId id={item.model_id} />
                </Link>
                <span className="small muted num">
                  <Trans>by {formatCount(item.request_count)}</Trans>
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}

function ModelsPanel({ period }: { period: Period }) {
  const usage = useQuery(usageQuery(toReportBody(period, ["model"])));
  return (
    <Panel
      title={t`Models called most`}
      to={`${adminPaths.usage}?from=${period.from}&to=${period.to}&by=model`}
      linkLabel={t`Usage by model`}
      query={usage}
    >
      {({ items }) =>
        items.length === 0 ? (
          <p className="muted mt-4">{t`Nothing was called in this time.`}</p>
        ) : (
          <ul>
            {items.slice(0, MAX_PANEL_ROWS).map((row) => (
              <li key={row.group.model ?? ""}>
                <ModelId id={row.group.model ?? "none"} />
                <span className="small muted num">
                  <Plural value={row.request_count} one="# request" other="# requests" />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  const period = toPeriod(parseDays(new URLSearchParams(search)), new Date());
  await Promise.all([
    prefetchSetupChecklist(client),
    client.prefetchQuery(usageQuery(toReportBody(period, ["day"]))),
    client.prefetchQuery(usageQuery(toReportBody(period, ["model"]))),
    client.prefetchQuery(totalQueries.users),
    client.prefetchQuery(totalQueries.newUsers(period.from)),
    client.prefetchQuery(totalQueries.applications),
    client.prefetchQuery(totalQueries.reviews),
    client.prefetchQuery(totalQueries.waiting),
    client.prefetchQuery(totalQueries.failed),
    client.prefetchQuery(totalQueries.suspended),
    client.prefetchQuery(backendsQuery),
    client.prefetchQuery(modelRequestsQuery({ perPage: MAX_PANEL_ROWS })),
  ]);
}
