import type { Model } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { SmallChart } from "#/components/chart/small-chart.tsx";
import { Figure, Figures } from "#/components/ui/figures.tsx";
import { Skeleton } from "#/components/ui/primitives.tsx";
import { FIGURES, formatRate, toHoursChart } from "#/entities/models/hours.ts";
import { HoursTable } from "#/entities/models/hours-table.tsx";
import { hoursQuery, ratesQuery } from "#/entities/models/queries.ts";
import { formatCount } from "#/lib/format.ts";
import styles from "./catalogue.module.css";
import { HowToRun } from "./how-to-run.tsx";

/** Speed and errors of the model's class from real requests; where there were none, how to run it. */
export function ModelPerformance({ model }: { model: Model }) {
  const { data: rates } = useQuery(ratesQuery);
  const { data: hours } = useQuery(hoursQuery(model.model_class));
  const requests = hours?.reduce((sum, hour) => sum + hour.requests, 0) ?? 0;
  const row = rates?.items.find((item) => item.model_class === model.model_class);
  return (
    <section className={styles.modelSection}>
      <h2 className="h4">{t`How it runs here`}</h2>
      {hours === undefined ? (
        <div className="mt-4">
          <Skeleton height={118} />
        </div>
      ) : requests > 0 ? (
        <>
          <p className="small dim mt-1">
            {plural(requests, { one: "# request in the last 24 hours.", other: "# requests in the last 24 hours." })}{" "}
            {t`The figures are of the last hour.`}
          </p>
          <Figures>
            <Figure
              label={t`Time to first token, median`}
              value={row?.p50_ttft_ms == null ? "–" : t`${formatCount(row.p50_ttft_ms)} ms`}
            >
              <SmallChart
                chart={toHoursChart(hours, FIGURES.firstToken)}
                label={t`Time to the first token by the hour`}
                emptyText={t`Nothing was measured.`}
              />
            </Figure>
            <Figure
              label={t`Tokens per second`}
              value={row?.tokens_per_s == null ? "–" : String(Math.round(row.tokens_per_s))}
            >
              <SmallChart
                chart={toHoursChart(hours, FIGURES.speed)}
                label={t`Tokens per second by the hour`}
                emptyText={t`Nothing was measured.`}
              />
            </Figure>
            <Figure label={t`Answered without error`} value={row ? formatRate(1 - row.error_rate) : "–"}>
              <SmallChart
                chart={toHoursChart(hours, FIGURES.errors)}
                label={t`Share that failed by the hour`}
                emptyText={t`No call has failed.`}
              />
            </Figure>
          </Figures>
          <HoursTable hours={hours} file={model.model_class} />
        </>
      ) : model.availability.tier === "warm" || model.availability.tier === "loading" ? (
        <p className="mid mt-2">{t`Nobody has called it in the last 24 hours, so there are no figures yet.`}</p>
      ) : null}
      {model.availability.tier === "offline" ? <HowToRun model={model} /> : null}
    </section>
  );
}
