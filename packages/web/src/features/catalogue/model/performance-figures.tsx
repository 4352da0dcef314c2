import type { ErrorRate, StatusHour } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { SmallChart } from "#/components/chart/small-chart.tsx";
import { Figure } from "#/components/ui/figures/figure.tsx";
import { Figures } from "#/components/ui/figures/figures.tsx";
import { FIGURES, formatRate, toHoursChart } from "#/entities/models/hours.ts";
import { HoursTable } from "#/entities/models/hours-table.tsx";
import { formatCount } from "#/lib/format.ts";

type Props = {
  hours: readonly StatusHour[];
  /** The figures of the last hour; undefined where there are none. */
  rates: ErrorRate | undefined;
  modelClass: string;
};

/** Speed and errors of a model's class: figures of the last hour, charts of the last day, and their table. */
export function PerformanceFigures({ hours, rates, modelClass }: Props) {
  return (
    <>
      <Figures>
        <Figure
          label={t`Time to first token, median`}
          value={rates?.p50_ttft_ms == null ? "–" : t`${formatCount(rates.p50_ttft_ms)} ms`}
        >
          <SmallChart
            chart={toHoursChart(hours, FIGURES.firstToken)}
            label={t`Time to the first token by the hour`}
            emptyText={t`Nothing was measured.`}
          />
        </Figure>
        <Figure
          label={t`Tokens per second`}
          value={rates?.tokens_per_s == null ? "–" : String(Math.round(rates.tokens_per_s))}
        >
          <SmallChart
            chart={toHoursChart(hours, FIGURES.speed)}
            label={t`Tokens per second by the hour`}
            emptyText={t`Nothing was measured.`}
          />
        </Figure>
        <Figure label={t`Answered without error`} value={rates ? formatRate(1 - rates.error_rate) : "–"}>
          <SmallChart
            chart={toHoursChart(hours, FIGURES.errors)}
            label={t`Share that failed by the hour`}
            emptyText={t`No call has failed.`}
          />
        </Figure>
      </Figures>
      <HoursTable hours={hours} file={modelClass} />
    </>
  );
}
