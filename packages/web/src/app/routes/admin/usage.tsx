import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import { changeParams, type Filter } from "#/features/admin/list/list-params.ts";
import { useList } from "#/features/admin/list/use-list.ts";
import { DayBars } from "#/features/admin/overview/day-bars.tsx";
import { usageQuery } from "#/features/admin/system/queries.ts";
import { GroupPicker } from "#/features/admin/usage/group-picker.tsx";
import { daysOf, groupsOf, periodOf, reportAsCsv, reportBodyOf, totalsOf } from "#/features/admin/usage/report.ts";
import { idOfRow, usageColumns } from "#/features/admin/usage/usage-columns.tsx";
import { UsageFigures } from "#/features/admin/usage/usage-figures.tsx";
import { save } from "#/lib/download.ts";

const FILTERS: readonly Filter[] = [
  { name: "from", label: t`From`, kind: "day" },
  { name: "to", label: t`Until`, kind: "day" },
];

/** The usage of the platform over a period, grouped as chosen, with CSV export. */
export default function AdminUsagePage() {
  const list = useList(FILTERS);
  const [params, setParams] = useSearchParams();
  const now = useMemo(() => new Date(), []);
  const period = periodOf(list.values.from, list.values.to, now);
  const groups = groupsOf(params.get("by"));
  const body = reportBodyOf(period, groups);
  const report = useQuery(usageQuery(body));

  const exportCsv = () =>
    save(`usage-${period.from}-${period.to}.csv`, "text/csv", reportAsCsv(groups, report.data?.items ?? []));

  return (
    <ListPage
      title={t`Usage`}
      about={t`What was called from ${period.from} to ${period.to}, in UTC. Grouped as you like, at most 10,000 rows.`}
      list={{ ...list, values: period }}
      tools={
        <GroupPicker
          groups={groups}
          set={(next) => setParams((before) => changeParams(before, { by: next.join(",") }), { replace: true })}
        />
      }
      action={
        <button type="button" className="btn" disabled={!report.data?.items.length} onClick={exportCsv}>
          {t`Export CSV`}
        </button>
      }
      query={report}
      columns={usageColumns(groups)}
      idOf={idOfRow}
      empty={{
        title: t`Nothing was called in this time`,
        text: t`As soon as somebody calls a model, requests, tokens and cost stand here.`,
      }}
    >
      {report.isError ? null : <UsageFigures totals={report.data && totalsOf(report.data.items)} />}
      {report.data && groups.length === 1 && groups[0] === "day" && report.data.items.length > 0 ? (
        <div className="mt-6 mb-5">
          <DayBars days={daysOf(report.data.items, period)} table={false} />
        </div>
      ) : null}
    </ListPage>
  );
}
