import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { ChartSection } from "#/components/chart/chart-section.tsx";
import { formatCount } from "#/lib/format.ts";
import { isHourly, type Period } from "./period.ts";
import { unitsQuery } from "./queries.ts";
import { createUnitsChart } from "./units.ts";

/** The most units in use in each slice of a period, with the plan's limit. */
export function UnitsSection({ period }: { period: Period }) {
  const units = useQuery(unitsQuery(period));
  const chart =
    units.data &&
    createUnitsChart(units.data, period, {
      max: t`most at once`,
      refused: t`Refused`,
      limit: t`plan's limit`,
      format: formatCount,
    });
  return (
    <ChartSection
      title={isHourly(period) ? t`Most units in use by the hour` : t`Most units in use by day`}
      chart={chart}
      error={units.error}
      retry={() => void units.refetch()}
      file="units"
      exportLabel={t`Export units as CSV`}
      emptyText={t`No request held a unit in this period. Every request holds units while it runs, and they are counted here.`}
    />
  );
}
