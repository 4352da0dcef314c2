import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { SmallChart } from "#/components/chart/small-chart.tsx";
import { Figure } from "#/components/ui/figures/figure.tsx";
import { Figures } from "#/components/ui/figures/figures.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { FIGURES, formatRate, toHoursChart } from "#/entities/models/hours.ts";
import { HoursTable } from "#/entities/models/hours-table.tsx";
import { hoursQuery } from "#/entities/models/queries.ts";
import { formatCount } from "#/lib/format.ts";

/** Requests and failures of all models in the last 24 hours, as charts and as table. */
export function LastDay() {
  const { data: hours, isError } = useQuery({ ...hoursQuery(), refetchInterval: 60_000 });
  const requests = hours?.reduce((sum, hour) => sum + hour.requests, 0) ?? 0;
  const errors = hours?.reduce((sum, hour) => sum + hour.errors, 0) ?? 0;
  const activeHours = hours?.filter((hour) => hour.requests > 0).length ?? 0;
  const noCalls = t`No calls in the last 24 hours.`;
  if (isError) return null; // the table of classes shows the error
  return (
    <section className="mt-8" aria-labelledby="last-day">
      <h2 className="h3" id="last-day">
        {t`The last 24 hours`}
      </h2>
      {hours === undefined ? (
        <div className="mt-4">
          <Skeleton height={140} />
        </div>
      ) : (
        <>
          <Figures>
            <Figure
              value={formatCount(requests)}
              label={t`Requests`}
              note={plural(activeHours, { one: "in # hour", other: "in # hours" })}
            >
              <SmallChart
                chart={toHoursChart(hours, FIGURES.requests)}
                label={t`Requests by the hour`}
                emptyText={noCalls}
              />
            </Figure>
            <Figure
              value={requests === 0 ? "–" : formatRate(errors / requests)}
              label={t`Failed`}
              note={plural(errors, { one: "# request", other: "# requests" })}
            >
              <SmallChart
                chart={toHoursChart(hours, FIGURES.errors)}
                label={t`Share that failed by the hour`}
                emptyText={requests === 0 ? noCalls : t`No call has failed.`}
              />
            </Figure>
            <Figure
              value={formatLatest(hours.map((hour) => hour.p50_ttft_ms))}
              label={t`Time to first token`}
              note={t`median of the latest hour`}
            >
              <SmallChart
                chart={toHoursChart(hours, FIGURES.firstToken)}
                label={t`Time to the first token by the hour`}
                emptyText={requests === 0 ? noCalls : t`Nothing was measured.`}
              />
            </Figure>
          </Figures>
          {requests > 0 ? <HoursTable hours={hours} file="status" /> : null}
        </>
      )}
    </section>
  );
}

function formatLatest(values: readonly (number | null)[]): string {
  const last = values.findLast((value) => value !== null);
  return last == null ? "–" : t`${formatCount(last)} ms`;
}
