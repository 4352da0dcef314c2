import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { ChartData } from "#/components/chart/chart-data.ts";
import { SmallChart } from "#/components/chart/small-chart.tsx";
import { Figure } from "#/components/ui/figures/figure.tsx";
import { Figures } from "#/components/ui/figures/figures.tsx";
import { Panel } from "#/components/ui/lists/panel.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { formatCount, formatPercent } from "#/lib/format.ts";
import { describeChange } from "./describe-change.ts";
import { type Day, fortnightQuery, toWeek, type Week } from "./week.ts";

/** Requests, failures, and spending or tokens of the organization in the last seven days, by day and against the seven before. */
export function WeekSection() {
  const [now] = useState(() => new Date());
  const query = useQuery(fortnightQuery(now));
  return (
    <Panel title={t`The last 7 days`} more={{ label: t`Usage`, to: paths.usage }}>
      <Loaded subject={t`The usage of the last 7 days`} query={query}>
        {(report) => renderWeek(toWeek(report, now))}
      </Loaded>
    </Panel>
  );
}

function renderWeek({ days, total, before }: Week) {
  if (total.requests === 0 && before.requests === 0)
    return (
      <p className="muted">
        {t`Nothing was called yet.`}{" "}
        <Link className="link" to={paths.docs()}>
          {t`Make the first call`}
        </Link>
      </p>
    );
  const nothingCalled = t`No calls in these days.`;
  return (
    <Figures>
      <Figure
        label={t`Requests`}
        value={formatCount(total.requests)}
        note={describeChange(total.requests, before.requests)}
      >
        <SmallChart
          chart={toChart(days, t`Requests`, ({ requests }) => requests, formatCount)}
          label={t`Requests by day`}
          emptyText={nothingCalled}
        />
      </Figure>
      <Figure
        label={t`Failed`}
        value={total.requests === 0 ? "–" : formatPercent(total.errors / total.requests)}
        note={plural(total.errors, { one: "# request", other: "# requests" })}
      >
        <SmallChart
          chart={toChart(days, t`Failed requests`, ({ errors }) => errors, formatCount, "bad")}
          label={t`Failed requests by day`}
          emptyText={total.requests === 0 ? nothingCalled : t`No call has failed.`}
        />
      </Figure>
      {total.costNanoUsd + before.costNanoUsd > 0 ? (
        <Figure
          label={t`Spent`}
          value={formatNanoUsd(total.costNanoUsd)}
          note={describeChange(total.costNanoUsd, before.costNanoUsd)}
        >
          <SmallChart
            chart={toChart(days, t`Spent`, ({ costNanoUsd }) => costNanoUsd, formatNanoUsd)}
            label={t`Credits spent by day`}
            emptyText={t`No credits were spent.`}
          />
        </Figure>
      ) : (
        <Figure label={t`Tokens`} value={formatCount(total.tokens)} note={describeChange(total.tokens, before.tokens)}>
          <SmallChart
            chart={toChart(days, t`Tokens`, ({ tokens }) => tokens, formatCount)}
            label={t`Tokens by day`}
            emptyText={nothingCalled}
          />
        </Figure>
      )}
    </Figures>
  );
}

function toChart(
  days: readonly Day[],
  name: string,
  measure: (day: Day) => number,
  format: (value: number) => string,
  tone?: "bad",
): ChartData {
  return {
    kind: "bars",
    isCount: true,
    series: [{ id: "all", name, ...(tone && { tone }) }],
    more: [],
    slices: days.map((day) => ({ at: day.day, values: [measure(day)], more: [] })),
    format,
  };
}
