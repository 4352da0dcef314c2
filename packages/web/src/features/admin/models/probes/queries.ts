import type { ProbedPlace } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** How often a model that is being asked is read again. */
const POLL_MS = 2_000;

/** Returns whether a model will be asked at a backend, or is being asked. */
export const isInProgress = ({ state }: ProbedPlace): boolean => state === "waiting" || state === "running";

/** What a model has shown at its backends. It is read again while it is being asked. */
export const modelProbesQuery = (id: string) =>
  queryOptions({
    ...queries.admin.models.probes.list.queryOptions(id),
    refetchInterval: ({ state }) => (state.data?.items.some(isInProgress) ? POLL_MS : false),
  });
