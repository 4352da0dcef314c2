import type { StorePull } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

const RUNNING_STATES: readonly StorePull["state"][] = ["queued", "downloading", "verifying", "converting"];
const POLL_MS = 1_000;
const IDLE_POLL_MS = 10_000;

/** Whether a download is on its way. */
export const isRunning = ({ state }: StorePull): boolean => RUNNING_STATES.includes(state);

/** The downloads, newest first, for administrators. Refreshed every second while one is on its way. */
export const pullsQuery = queryOptions({
  ...queries.admin.store.pulls.list.queryOptions(),
  refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? POLL_MS : IDLE_POLL_MS),
});

/** The same downloads, refreshed only while one is on its way: for pages that are not about them. */
export const runningPullsQuery = queryOptions({
  ...queries.admin.store.pulls.list.queryOptions(),
  refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? POLL_MS : false),
});

/** The files of a model that the server's machine could load, for administrators. */
export const storeFilesQuery = (modelId: string) =>
  queryOptions({ ...queries.admin.store.files.queryOptions({ model_id: modelId }), staleTime: 60_000, retry: false });
