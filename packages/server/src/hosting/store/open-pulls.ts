import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Loading } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import type { PullEstimate, PullSpeed } from "./pull-estimate.ts";
import type { OpenPullRow, PullRow } from "./rows/pull-rows.ts";
import type { StoreRepository } from "./store.repository.ts";
import type { ModelStore } from "./store.usecases.ts";

/** A download with the key of its model and its speed. */
export type OpenPull = PullRow & PullSpeed & { key: string };
/** Called with the downloads that have not ended, and with those that have ended since the last call. */
type Listener = (pulls: readonly OpenPull[]) => void;

type Deps = {
  storeRepository: Pick<StoreRepository, "listOpen">;
  estimate: PullEstimate;
  log: Pick<Logger, "error">;
};
type Context = Deps & {
  /** The unfinished downloads of the last read, by id. */
  known: Map<string, OpenPull>;
  listeners: Set<Listener>;
  /** Resolves when the last requested read has ended. */
  reading: Promise<void>;
  isFollowing: boolean;
};

/** The interval of reads while there are listeners. */
const LISTENING_INTERVAL_MS = 500;
const LOADING_STATES = ["queued", "downloading", "verifying", "converting"];

/**
 * Creates the copy in memory of the unfinished downloads of all processes. It answers without a database query, and
 * notifies listeners about progress.
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
    /** Returns the use cases of the model store. Each of them reads the downloads again after it changed them. */
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

/** Reads the downloads again. When it resolves, the copy contains every change that was stored before the call. */
function refresh(context: Context): Promise<void> {
  context.reading = context.reading.catch(() => {}).then(() => read(context));
  return context.reading;
}

async function thenRefresh<Result>(context: Context, change: Promise<Result>): Promise<Result> {
  const result = await change;
  // The change is stored, so an error of the read is only logged. The job reads again later.
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

/** Returns the unfinished downloads, the oldest first. */
function listOpenPulls({ known }: Context): readonly OpenPull[] {
  return [...known.values()];
}

/** Returns the progress of a model's download; null if there is none, or it is paused. */
function findLoading({ known, estimate }: Context, key: string): Loading | null {
  const pull = [...known.values()].find((open) => open.key === key && LOADING_STATES.includes(open.state));
  return pull ? estimate.toLoading(pull) : null;
}

/** Returns the keys of the models that are being downloaded. Paused downloads do not count. */
function listLoadingKeys({ known }: Context): string[] {
  return [...known.values()].filter(({ state }) => LOADING_STATES.includes(state)).map(({ key }) => key);
}

/**
 * Calls a listener after each read. While there are listeners, there are two reads a second. Returns the function that ends
 * this.
 */
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
