import type { KubeConfig } from "@kubernetes/client-node";
import { type Dispatcher, fetch } from "undici";
import { readLimited } from "../../../platform/core/http/read-limited.ts";
import { readLines } from "../../../platform/core/http/read-lines.ts";
import {
  type ClusterApi,
  ClusterError,
  type LogOptions,
  type ObjectList,
  type WatchEvent,
  type WatchOptions,
} from "./cluster-api.ts";
import type { KubernetesSettings } from "./kubernetes.settings.ts";
import { type ClusterObject, type Kind, RESOURCES, type WrittenKind } from "./objects.ts";

/** Limits of requests to the API server, in milliseconds. */
export type ClientTimes = {
  /** The longest time until a response is complete. Watches and followed logs are exempt. */
  answerMs: number;
  /**
   * The longest time without data from a watch. The server is asked to end each watch before that: it sends a bookmark every
   * minute, but none for events and for kinds of which nothing has changed since it started.
   */
  silenceMs: number;
};

const DEFAULT_TIMES: ClientTimes = { answerMs: 15_000, silenceMs: 180_000 };
/** The duration of a watch, after which the server ends it, as a part of the longest silence. */
const WATCH_PART = 2 / 3;
const PAGE_SIZE = 500;
const FIELD_MANAGER = "feather";
const MAX_MESSAGE_LENGTH = 1_000;
/** A log line with its timestamp. A line without one is an error message of the node. */
const STAMPED_LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?(.*)$/;
const APPLY_PATCH = "application/apply-patch+yaml";

/** Limits of what a client reads of a response. */
export type ClientSizes = {
  /** The largest response that is read whole, such as a page of a list, in bytes. */
  answerBytes: number;
  /** The longest line of a watch or a log, in characters; the rest of a longer one is left out. */
  lineLength: number;
};

const DEFAULT_SIZES: ClientSizes = { answerBytes: 64 * 1024 * 1024, lineLength: 8 * 1024 * 1024 };
/** The largest body of a refusal, in bytes. */
const MAX_STATUS_BYTES = 1024 * 1024;

type Connection = Pick<KubernetesSettings, "connection" | "context" | "namespace">;
type Context = { settings: Connection; times: ClientTimes; sizes: ClientSizes; config: Promise<KubeConfig> | null };
type RequestOptions = { method?: string; body?: string; contentType?: string; signal: AbortSignal };

/**
 * Creates the client of a cluster's API. Its credentials and trusted certificates come from the kubeconfig or the pod's
 * service account, which is read at the first request.
 */
export function createClusterClient(
  settings: Connection,
  times: ClientTimes = DEFAULT_TIMES,
  sizes: ClientSizes = DEFAULT_SIZES,
): ClusterApi {
  const context: Context = { settings, times, sizes, config: null };
  return {
    namespace: settings.namespace,
    list: (kind, labelSelector) => listObjects(context, kind, labelSelector),
    watch: (kind, options, onEvent) => watchObjects(context, kind, options, onEvent),
    apply: (object) => applyObject(context, object),
    delete: (kind, name) => deleteObject(context, kind, name),
    logs: (pod, options, signal) => readLogs(context, pod, options, signal),
  };
}

async function listObjects<K extends Kind>(context: Context, kind: K, labelSelector: string): Promise<ObjectList<K>> {
  const items: ClusterObject<K>[] = [];
  let continueFrom = "";
  let resourceVersion = "";
  do {
    const query = { labelSelector, limit: String(PAGE_SIZE), ...(continueFrom && { continue: continueFrom }) };
    const page = (await requestJson(context, pathOf(context, kind, "", query))) as {
      metadata: { resourceVersion: string; continue?: string };
      items: ClusterObject<K>[];
    };
    // Items of a list lack `apiVersion` and `kind`.
    for (const item of page.items) items.push({ ...item, apiVersion: RESOURCES[kind].apiVersion, kind });
    ({ resourceVersion, continue: continueFrom = "" } = page.metadata);
  } while (continueFrom !== "");
  return { items, resourceVersion };
}

async function watchObjects<K extends Kind>(
  context: Context,
  kind: K,
  { labelSelector, resourceVersion, signal, onOpen }: WatchOptions,
  onEvent: (event: WatchEvent<K>) => void,
): Promise<void> {
  const query = {
    labelSelector,
    resourceVersion,
    watch: "true",
    allowWatchBookmarks: "true",
    timeoutSeconds: String(Math.ceil((context.times.silenceMs * WATCH_PART) / 1_000)),
  };
  const silence = createSilenceLimit(context.times.silenceMs);
  try {
    const limit = AbortSignal.any([signal, silence.signal]);
    const response = await send(context, pathOf(context, kind, "", query), { signal: limit });
    onOpen?.();
    for await (const line of readLines(response.body, context.sizes.lineLength)) {
      silence.restart();
      onEvent(parseEvent(line));
    }
  } catch (error) {
    throw toClusterError(error);
  } finally {
    silence.stop();
  }
}

/** Creates a signal that aborts if it is not restarted for this many milliseconds. */
function createSilenceLimit(milliseconds: number) {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error(`nothing came for ${milliseconds / 1000} seconds`));
  let timer = setTimeout(abort, milliseconds);
  return {
    signal: controller.signal,
    restart(): void {
      clearTimeout(timer);
      timer = setTimeout(abort, milliseconds);
    },
    stop: () => clearTimeout(timer),
  };
}

function parseEvent<K extends Kind>(line: string): WatchEvent<K> {
  const event = JSON.parse(line) as WatchEvent<K> | { type: "ERROR"; object: Status };
  if (event.type === "ERROR") throw statusError(event.object.code ?? 500, event.object);
  return event;
}

/** Applies an object. Overwrites fields that other clients have changed, because the database is the source of truth. */
async function applyObject<K extends WrittenKind>(
  context: Context,
  object: ClusterObject<K>,
): Promise<ClusterObject<K>> {
  const query = { fieldManager: FIELD_MANAGER, force: "true" };
  const path = pathOf(context, object.kind, object.metadata.name, query);
  const body = JSON.stringify(object);
  return (await requestJson(context, path, { method: "PATCH", body, contentType: APPLY_PATCH })) as ClusterObject<K>;
}

async function deleteObject(context: Context, kind: WrittenKind, name: string): Promise<void> {
  const body = JSON.stringify({ apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground" });
  const options = { method: "DELETE", body, contentType: "application/json" };
  await requestJson(context, pathOf(context, kind, name, {}), options).catch((error: unknown) => {
    if (!(error instanceof ClusterError && error.status === 404)) throw error;
  });
}

async function* readLogs(
  context: Context,
  pod: string,
  { container, tail, follow = false, sinceTime }: LogOptions,
  signal: AbortSignal,
): AsyncIterable<{ time: string; text: string }> {
  const query = {
    container,
    timestamps: "true",
    follow: String(follow),
    ...(tail !== undefined && { tailLines: String(tail) }),
    ...(sinceTime !== undefined && { sinceTime }),
  };
  const limit = follow ? signal : AbortSignal.any([signal, AbortSignal.timeout(context.times.answerMs)]);
  try {
    const response = await send(context, pathOf(context, "Pod", `${pod}/log`, query), { signal: limit });
    for await (const line of readLines(response.body, context.sizes.lineLength)) {
      const [, time, text] = STAMPED_LINE.exec(line) ?? [];
      if (time !== undefined && text !== undefined) yield { time, text };
    }
  } catch (error) {
    throw toClusterError(error);
  }
}

function pathOf({ settings }: Context, kind: Kind, rest: string, query: Record<string, string>): string {
  const { apiVersion, plural } = RESOURCES[kind];
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const path = `${root}/namespaces/${settings.namespace}/${plural}${rest && `/${rest}`}`;
  return `${path}?${new URLSearchParams(query)}`;
}

async function requestJson(
  context: Context,
  path: string,
  options: Omit<RequestOptions, "signal"> = {},
): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(context.times.answerMs);
    const { body } = await send(context, path, { ...options, signal });
    return JSON.parse((await readLimited(body, context.sizes.answerBytes)).toString("utf8"));
  } catch (error) {
    throw toClusterError(error);
  }
}

type Response = Awaited<ReturnType<typeof fetch>>;

async function send(
  context: Context,
  path: string,
  { method = "GET", body, contentType, signal }: RequestOptions,
): Promise<Response> {
  const { server, headers, dispatcher } = await authenticate(context);
  const response = await fetch(server + path, {
    method,
    headers: { ...headers, accept: "application/json", ...(contentType && { "content-type": contentType }) },
    ...(body !== undefined && { body }),
    ...(dispatcher && { dispatcher }),
    signal,
  });
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** Sets the credentials before each request, since tokens of service accounts and of exec plugins expire. */
async function authenticate(context: Context) {
  const { HttpMethod, RequestContext } = await import("@kubernetes/client-node");
  context.config ??= loadConfig(context.settings).catch((error: unknown) => {
    context.config = null; // so that the next request reads the file again, which may be missing or invalid now
    throw error;
  });
  const config = await context.config;
  const server = config.getCurrentCluster()?.server.replace(/\/+$/, "");
  if (server === undefined) throw new ClusterError(0, "", "the kubeconfig names no cluster");
  const request = new RequestContext(server, HttpMethod.GET);
  await config.applySecurityAuthentication(request);
  return { server, headers: request.getHeaders(), dispatcher: request.getDispatcher() as Dispatcher | undefined };
}

/** Imports the client library lazily: it is large, and most servers have no cluster. */
async function loadConfig({ connection, context }: Connection): Promise<KubeConfig> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  if (connection === "in-cluster") config.loadFromCluster();
  else config.loadFromFile(connection);
  if (context !== undefined) config.setCurrentContext(context);
  return config;
}

/** The body of an error response of the API. */
type Status = { code?: number; reason?: string; message?: string };

async function refusalOf(response: Response): Promise<ClusterError> {
  const status = await readLimited(response.body, MAX_STATUS_BYTES)
    .then((bytes) => JSON.parse(bytes.toString("utf8")) as Status)
    .catch(() => ({}));
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return statusError(response.status, status, Number.isFinite(retryAfter) ? retryAfter : null);
}

function statusError(code: number, { reason = "", message = "" }: Status, retryAfterSeconds: number | null = null) {
  return new ClusterError(code, reason, message.slice(0, MAX_MESSAGE_LENGTH), retryAfterSeconds);
}

function toClusterError(error: unknown): ClusterError {
  if (error instanceof ClusterError) return error;
  return new ClusterError(0, "", describeFailure(error).slice(0, MAX_MESSAGE_LENGTH));
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "it gave no answer in time";
  const { cause } = error;
  return cause instanceof Error
    ? cause.message || ("code" in cause ? String(cause.code) : error.message)
    : error.message;
}
