import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** What marketplaces owe, and their last payouts. */
export const lastPayoutsQuery = queries.admin.marketplaces.payouts.list.queryOptions({ perPage: 5 });

/** The report of revenue over a number of months. */
export const revenueQuery = (months: number) =>
  queryOptions({
    ...queries.admin.revenue.queryOptions({ months }),
    placeholderData: keepPreviousData,
  });
