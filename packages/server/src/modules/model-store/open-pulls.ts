import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { bind } from "../../core/bind.ts";
import { privateModelKey } from "../../core/model-keys.ts";
import type { Loading } from "../../gateway/index.ts";
import type { PullEstimate, PullSpeed } from "./pull-estimate.ts";
import type { OpenPullRow, PullRow, StoreRepository } from "./store.repository.ts";
import type { ModelStore } from "./store.usecases.ts";

/** A download with the key of its model, and how fast it is. */
export type OpenPull = PullRow & PullSpeed & { key: string };
/** Is called with the downloads that have not ended, and those that have ended since the last time. */
type Listener = (pulls: readonly OpenPull[]) => void;

type Deps = {
  storeRepository: Pick<StoreRepository, "listOpen">;
  estimate: PullEstimate;
  log: Pick<Logger, "error">;
};
type Context = Deps & {
  /** The downloads that have not ended, by id, as they were last read. */
  known: Map<string, OpenPull>;
  listeners: Set<Listener>;
  /** Ends with the last reading that was asked for. */
  reading: Promise<void>;
  isFollowing: boolean;
};

/** While somebody listens, downloads are read so often. */
const LISTENING_INTERVAL_MS = 500;
const LOADING_STATES = ["queued", "downloading", "verifying", "converting"];

/**
 * The downloads that have not ended, of all processes of this server, in memory: for those who must not wait for the
 * database, and for those who follow them.
 */
export function createOpenPulls(deps: Deps) {
  const context: Context = {
    ...deps,
    known: new Map(),
    listeners: new Set(),
    reading: Promise.resolve(),
    isFollowing: false,
  };
  return {
    ...bind(context, { refresh, list: listOpenPulls, loading: findLoading, loadingKeys: listLoadingKeys, subscribe }),
    /** Returns the use cases of the model store, after which what they changed is known here. */
    addTo: (store: ModelStore): ModelStore => ({
      ...store,
      pull: (...input) => thenRefresh(context, store.pull(...input)),
      pullPublic: (...input) => thenRefresh(context, store.pullPublic(...input)),
      cancel: (...input) => thenRefresh(context, store.cancel(...input)),
      pause: (...input) => thenRefresh(context, store.pause(...input)),
      resume: (...input) => thenRefresh(context, store.resume(...input)),
    }),
    job: {
      name: "read the progress of downloads",
      everySeconds: 2,
      onEveryReplica: true,
      run: () => refresh(context),
    },
  };
}

export type OpenPulls = ReturnType<typeof createOpenPulls>;

/** Reads the downloads anew. What was stored before the call is known after it. */
function refresh(context: Context): Promise<void> {
  context.reading = context.reading.catch(() => {}).then(() => read(context));
  return context.reading;
}

async function thenRefresh<Result>(context: Context, change: Promise<Result>): Promise<Result> {
  const result = await change;
  // The change is stored: if it cannot be read now, the job reads it later.
  await refresh(context).catch((error: unknown) => context.log.error({ err: error }, "downloads cannot be read"));
  return result;
}

async function read(context: Context): Promise<void> {
  const { storeRepository, estimate, listeners, known } = context;
  const rows = await storeRepository.listOpen([...known.keys()]);
  const pulls = rows.map((row) => ({ ...row, ...estimate.measure(row), key: keyOf(row) }));
  context.known = new Map(pulls.filter(isOpen).map((pull) => [pull.id, pull]));
  for (const listener of [...listeners]) listener(pulls);
}

function keyOf({ model_id, catalogue_id, organization_id }: OpenPullRow): string {
  return organization_id === null ? (catalogue_id ?? model_id) : privateModelKey(organization_id, model_id);
}

function isOpen({ state }: PullRow): boolean {
  return state === "paused" || LOADING_STATES.includes(state);
}

/** Returns the downloads that have not ended, the oldest first. */
function listOpenPulls({ known }: Context): readonly OpenPull[] {
  return [...known.values()];
}

/** Returns how far the download of a model is; null if there is none, or it is paused. */
function findLoading({ known, estimate }: Context, key: string): Loading | null {
  const pull = [...known.values()].find((open) => open.key === key && LOADING_STATES.includes(open.state));
  return pull ? estimate.toLoading(pull) : null;
}

/** Returns the keys of the models that are being downloaded. */
function listLoadingKeys({ known }: Context): string[] {
  return [...known.values()].filter(({ state }) => LOADING_STATES.includes(state)).map(({ key }) => key);
}

/** Calls a listener after each reading, of which there are two a second, until the returned function is called. */
function subscribe(context: Context, listener: Listener): () => void {
  context.listeners.add(listener);
  if (!context.isFollowing) void follow(context);
  return () => void context.listeners.delete(listener);
}

async function follow(context: Context): Promise<void> {
  context.isFollowing = true;
  while (context.listeners.size > 0) {
    await refresh(context).catch((error: unknown) => context.log.error({ err: error }, "downloads cannot be read"));
    await sleep(LISTENING_INTERVAL_MS, undefined, { ref: false });
  }
  context.isFollowing = false;
}
