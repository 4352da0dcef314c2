import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The report of revenue over a number of months. */
export const revenueQuery = (months: number) =>
  queryOptions({
    ...queries.admin.revenue.queryOptions({ months }),
    placeholderData: keepPreviousData,
  });
