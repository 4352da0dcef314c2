import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ChartFigure } from "#/components/chart/chart-figure.tsx";
import { ListPage } from "#/components/list/list-page.tsx";
import { changeParams, type Filter, readList } from "#/components/list/list-params.ts";
import { useListState } from "#/components/list/use-list-state.ts";
import { createDailyChart } from "#/features/admin/overview/daily-chart.ts";
import { usageQuery } from "#/features/admin/system/queries.ts";
import { GroupPicker } from "#/features/admin/usage/group-picker.tsx";
import {
  fillDays,
  readGroups,
  readPeriod,
  sumTotals,
  toReportBody,
  toReportCsv,
} from "#/features/admin/usage/report.ts";
import { createUsageColumns, rowKey } from "#/features/admin/usage/usage-columns.tsx";
import { UsageStats } from "#/features/admin/usage/usage-stats.tsx";
import { downloadText } from "#/lib/browser/download-text.ts";

const FILTERS: readonly Filter[] = [{ name: "from", until: "to", label: t`Period`, kind: "period" }];

/** The usage of the platform over a period, grouped as chosen, with CSV export. */
export default function AdminUsagePage() {
  const list = useListState(FILTERS);
  const [params, setParams] = useSearchParams();
  const now = useMemo(() => new Date(), []);
  const period = readPeriod(list.values.from, list.values.to, now);
  const groups = readGroups(params.get("by"));
  const body = toReportBody(period, groups);
  const report = useQuery(usageQuery(body));

  const exportCsv = () =>
    downloadText(`usage-${period.from}-${period.to}.csv`, "text/csv", toReportCsv(groups, report.data?.items ?? []));

  return (
    <ListPage
      title={t`Usage`}
      description={t`What was called from ${period.from} to ${period.to}, in UTC. Grouped as you like, at most 10,000 rows.`}
      list={{ ...list, values: period }}
      tools={
        <GroupPicker
          groups={groups}
          onChange={(next) => setParams((before) => changeParams(before, { by: next.join(",") }), { replace: true })}
        />
      }
      action={
        <button type="button" className="btn" disabled={!report.data?.items.length} onClick={exportCsv}>
          {t`Export CSV`}
        </button>
      }
      query={report}
      columns={createUsageColumns(groups)}
      idOf={rowKey}
      empty={{
        title: t`Nothing was called in this time`,
        text: t`As soon as somebody calls a model, requests, tokens and cost stand here.`,
      }}
    >
      {report.isError ? null : <UsageStats totals={report.data && sumTotals(report.data.items)} />}
      {report.data && groups.length === 1 && groups[0] === "day" && report.data.items.length > 0 ? (
        <div className="mt-6 mb-5">
          <ChartFigure
            chart={createDailyChart(fillDays(report.data.items, period))}
            label={t`Requests by day`}
            emptyText={t`Nothing was called in this time.`}
            hasTable={false}
          />
        </div>
      ) : null}
    </ListPage>
  );
}

/** Loads what the page reads first. */
export function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  const { from, to } = readList(search, FILTERS).values;
  const groups = readGroups(new URLSearchParams(search).get("by"));
  return client.prefetchQuery(usageQuery(toReportBody(readPeriod(from, to, new Date()), groups)));
}
