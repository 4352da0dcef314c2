import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { count } from "#/lib/format.ts";
import { byHour } from "./activity.ts";
import { ChartSection } from "./chart-section.tsx";
import { unitsQuery } from "./queries.ts";
import { unitsChart } from "./units.ts";

/** The most units in use in each slice of a period, with the plan's limit. */
export function UnitsSection({ days }: { days: number }) {
  const units = useQuery(unitsQuery(days));
  const chart =
    units.data &&
    unitsChart(units.data, days, {
      most: t`most at once`,
      refused: t`Refused`,
      limit: t`plan's limit`,
      format: count,
    });
  return (
    <ChartSection
      title={byHour(days) ? t`Most units in use by the hour` : t`Most units in use by day`}
      chart={chart}
      error={units.error}
      again={() => void units.refetch()}
      file="units"
      exportLabel={t`Export units as CSV`}
      nothing={t`No request held a unit in this period.`}
    />
  );
}
