import { type ClusterApi, ClusterError, type WatchEvent } from "./cluster-api.ts";
import { type ClusterObject, deploymentIdOf, type Kind, OWNER_LABEL } from "./objects.ts";
import { type RetryTimes, reflect } from "./reflector.ts";

/** The kinds of objects that are cached. */
const CACHED_KINDS = [
  "Secret",
  "Service",
  "PodDisruptionBudget",
  "NetworkPolicy",
  "Deployment",
  "LeaderWorkerSet",
  "Pod",
  "EndpointSlice",
] as const satisfies Kind[];
type CachedKind = (typeof CACHED_KINDS)[number];

/** Kinds that a cluster may lack, or that the service account may not be allowed to read. */
const OPTIONAL_KINDS: readonly CachedKind[] = ["LeaderWorkerSet", "NetworkPolicy"];
const NOT_THERE_STATUSES = [403, 404];

/** Maximum number of cached events; the cluster itself keeps them for an hour. */
const MAX_EVENTS = 1_000;

type Deps = {
  api: Pick<ClusterApi, "list" | "watch">;
  owner: string;
  retry: RetryTimes;
  /** Called with the id of a deployment when one of its objects may have changed. */
  onChange(deploymentId: string): void;
  /** Called with the error when the cluster can no longer be read, and with null when it can be read again. */
  onReadable(error: unknown): void;
};
type Context = Deps & {
  objects: Map<CachedKind, Map<string, ClusterObject>>;
  events: ClusterObject<"Event">[];
  /** Kinds that have been listed at least once. */
  listed: Set<CachedKind>;
  /** The error of the last request for each kind that currently cannot be read. */
  errors: Map<Kind, unknown>;
  waiting: Set<() => void>;
};

/** Creates a cache of this installation's objects in the cluster, kept up to date by watches. */
export function createClusterCache(deps: Deps) {
  const context: Context = {
    ...deps,
    objects: new Map(CACHED_KINDS.map((kind) => [kind, new Map()])),
    events: [],
    listed: new Set(),
    errors: new Map(),
    waiting: new Set(),
  };
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  return {
    start(): void {
      const { signal } = stopping;
      const reflections = CACHED_KINDS.map((kind) => reflectKind(context, kind, signal));
      running = Promise.all([...reflections, reflectEvents(context, signal)]);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
    /** Returns whether all kinds have been listed at least once. */
    isComplete: () => context.listed.size === CACHED_KINDS.length,
    /** Resolves when all kinds have been listed once, or after `timeoutMs` milliseconds. */
    waitUntilComplete: (timeoutMs: number) => waitUntilComplete(context, timeoutMs),
    /** Returns an error that currently prevents reading the cluster; null if there is none. */
    error: (): unknown => [...context.errors.values()][0] ?? null,
    /** Returns the cached objects of a deployment. */
    of: <K extends CachedKind>(kind: K, deploymentId: string): ClusterObject<K>[] =>
      (listObjects(context, kind) as ClusterObject<K>[]).filter((object) => deploymentIdOf(object) === deploymentId),
    /** Returns the ids of all deployments that have objects in the cluster. */
    deploymentIds: (): string[] => [
      ...new Set(
        CACHED_KINDS.flatMap((kind) => listObjects(context, kind).flatMap((one) => deploymentIdOf(one) ?? [])),
      ),
    ],
    /** Returns the events of objects whose name begins with `name`, the oldest first. */
    events: (name: string) => context.events.filter((event) => event.involvedObject?.name?.startsWith(name)),
    /** Stores the result of a write in the cache, before a watch reports it. */
    put: (kind: CachedKind, object: ClusterObject) => void context.objects.get(kind)?.set(object.metadata.name, object),
  };
}

/** A cache of this installation's objects in the cluster. */
export type ClusterCache = ReturnType<typeof createClusterCache>;

function listObjects({ objects }: Context, kind: CachedKind): ClusterObject[] {
  return [...(objects.get(kind)?.values() ?? [])];
}

function reflectKind(context: Context, kind: CachedKind, signal: AbortSignal): Promise<void> {
  const { api, owner, retry } = context;
  const onError = (error: unknown) => {
    // The kind may be installed later, so it is retried as after other failures.
    if (OPTIONAL_KINDS.includes(kind) && isNotThere(error)) {
      if (!context.listed.has(kind) || listObjects(context, kind).length > 0) replaceObjects(context, kind, []);
      recordError(context, kind, null);
    } else recordError(context, kind, error);
  };
  const labelSelector = `${OWNER_LABEL}=${owner}`;
  return reflect(
    {
      api,
      kind,
      labelSelector,
      retry,
      onError,
      onList: (found) => replaceObjects(context, kind, found),
      onEvent: (event) => applyEvent(context, kind, event),
    },
    signal,
  );
}

function isNotThere(error: unknown): boolean {
  return error instanceof ClusterError && NOT_THERE_STATUSES.includes(error.status);
}

function replaceObjects(context: Context, kind: CachedKind, found: readonly ClusterObject[]): void {
  const { objects, listed, waiting } = context;
  const before = listObjects(context, kind);
  objects.set(kind, new Map(found.map((object) => [object.metadata.name, object])));
  listed.add(kind);
  notify(context, [...before, ...found]);
  for (const check of [...waiting]) check();
}

function applyEvent(context: Context, kind: CachedKind, { type, object }: WatchEvent<CachedKind>): void {
  const objects = context.objects.get(kind);
  if (type === "DELETED") objects?.delete(object.metadata.name);
  else objects?.set(object.metadata.name, object);
  notify(context, [object]);
}

function notify({ onChange }: Context, objects: readonly ClusterObject[]): void {
  const ids = new Set(objects.flatMap((object) => deploymentIdOf(object) ?? []));
  for (const id of ids) onChange(id);
}

/** Watches the events of the whole namespace, since events do not have our labels. */
function reflectEvents(context: Context, signal: AbortSignal): Promise<void> {
  const { api, retry } = context;
  return reflect(
    {
      api,
      kind: "Event" as const,
      labelSelector: "",
      retry,
      onError: (error) => recordError(context, "Event", error),
      onList: (found) => {
        context.events = [...found].sort((a, b) => timeOf(a) - timeOf(b)).slice(-MAX_EVENTS);
      },
      onEvent: ({ type, object }) => {
        const others = context.events.filter(({ metadata }) => metadata.name !== object.metadata.name);
        context.events = type === "DELETED" ? others : [...others, object].slice(-MAX_EVENTS);
      },
    },
    signal,
  );
}

function timeOf({ metadata }: ClusterObject<"Event">): number {
  return Date.parse(String(metadata.creationTimestamp ?? 0));
}

function recordError({ errors, onReadable }: Context, kind: Kind, error: unknown): void {
  const hadErrors = errors.size > 0;
  if (error === null) errors.delete(kind);
  else errors.set(kind, error);
  if (hadErrors !== errors.size > 0) onReadable(error);
}

function waitUntilComplete({ listed, waiting }: Context, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (listed.size === CACHED_KINDS.length) finish();
    };
    const timer = setTimeout(finish, timeoutMs);
    function finish() {
      clearTimeout(timer);
      waiting.delete(check);
      resolve();
    }
    waiting.add(check);
    check();
  });
}
