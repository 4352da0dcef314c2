import type { StorePull } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

const RUNNING_STATES: readonly StorePull["state"][] = ["queued", "downloading", "verifying", "converting"];
/** How long the list of downloads may be unchanged while one is on its way. Events come more often. */
const POLL_MS = 2_000;
const IDLE_POLL_MS = 10_000;

/** Whether a download is on its way. */
export const isRunning = ({ state }: StorePull): boolean => RUNNING_STATES.includes(state);

/** The downloads, newest first, for administrators. Read again while one is on its way and no event has come. */
export const pullsQuery = queryOptions({
  ...queries.admin.store.pulls.list.queryOptions(),
  refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? POLL_MS : IDLE_POLL_MS),
});

/** The same downloads, read again only then: for pages that are not about them. */
export const runningPullsQuery = queryOptions({
  ...queries.admin.store.pulls.list.queryOptions(),
  refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? POLL_MS : false),
});

/** The models whose files are on the server's machine, for administrators. */
export const storedModelsQuery = queries.admin.store.models.list.queryOptions();

/** The files of a model that the server's machine could load, for administrators. */
export const storeFilesQuery = (modelId: string) =>
  queryOptions({ ...queries.admin.store.files.queryOptions({ model_id: modelId }), staleTime: 60_000, retry: false });
