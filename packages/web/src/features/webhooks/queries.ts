import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The queries that are refetched after endpoints or deliveries have changed. */
export const WEBHOOK_QUERY_KEYS = [queries.webhooks.key()];
/** The endpoints of the organization. */
export const endpointsQuery = queryOptions({ ...queries.webhooks.list.queryOptions() });

const DELIVERIES_PER_PAGE = 10;
const REFRESH_INTERVAL_MS = 5_000;

/** One page of the deliveries to an endpoint, read again while one of them is pending. */
export const deliveriesQuery = (id: string, page: number) =>
  queryOptions({
    ...queries.webhooks.deliveries.list.queryOptions(id, { page, perPage: DELIVERIES_PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === "pending") ? REFRESH_INTERVAL_MS : false,
  });
