import type { Deployment } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { refetchDelayMs } from "./states.ts";

const HOUR_SECONDS = 3_600;
const MAX_DEPLOYMENTS = 1_000;

/** All deployments of the organization. The server allows a hundred; the limit guards against an endless list. */
export const deploymentsQuery = queryOptions({
  queryKey: [...queries.deployments.list.key(), "all"],
  queryFn: async () => {
    const items: Deployment[] = [];
    for await (const item of feather.deployments.list({ perPage: 100 })) {
      items.push(item);
      if (items.length >= MAX_DEPLOYMENTS) break;
    }
    return items;
  },
  refetchInterval: ({ state }) => (state.data ? refetchDelayMs(state.data) : false),
});

/** One deployment, refreshed more often while its state is changing. */
export const deploymentQuery = (id: string) =>
  queryOptions({
    ...queries.deployments.get.queryOptions(id),
    refetchInterval: ({ state }) => (state.data ? refetchDelayMs([state.data]) : false),
  });

/** State changes of a deployment, refreshed every 5 seconds. */
export const eventsQuery = (id: string) =>
  queryOptions({
    ...queries.deployments.events.queryOptions(id),
    select: (result) => result.items,
    refetchInterval: 5_000,
  });

/** Replicas of a deployment, refreshed every 5 seconds. */
export const replicasQuery = (id: string) =>
  queryOptions({
    ...queries.deployments.replicas.queryOptions(id),
    refetchInterval: 5_000,
  });

/** Metrics of the last hours, refreshed every 15 seconds. */
export const metricsQuery = (id: string, hours: number) =>
  queryOptions({
    queryKey: [...queries.deployments.metrics.key(id), hours],
    queryFn: async () => {
      const end = Math.ceil(Date.now() / 1000);
      const { items } = await feather.deployments.metrics(id, { start: end - hours * HOUR_SECONDS, end });
      return { items, start: end - hours * HOUR_SECONDS, end };
    },
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });

/** The providers that deployments can run on. */
export const providersQuery = queryOptions({
  ...queries.deployments.providers.queryOptions(),
  select: (result) => result.items,
  staleTime: 60_000,
});
