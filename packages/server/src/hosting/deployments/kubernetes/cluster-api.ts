import type { ClusterObject, Kind, WrittenKind } from "./objects.ts";

/** A complete list of objects, and the version from which a watch continues. */
export type ObjectList<K extends Kind> = { items: ClusterObject<K>[]; resourceVersion: string };

/** A change that a watch reports. `BOOKMARK` only has a version. */
export type WatchEvent<K extends Kind> = {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  object: ClusterObject<K>;
};

/** Options of a watch: which objects, and the version after which changes are reported. */
export type WatchOptions = {
  labelSelector: string;
  resourceVersion: string;
  signal: AbortSignal;
  /** Called when the cluster has accepted the watch. */
  onOpen?(): void;
};

/** Options for reading a container's log. `tail` is a number of lines, `sinceTime` is in ISO 8601. */
export type LogOptions = { container: string; tail?: number; follow?: boolean; sinceTime?: string };

/** The API of a Kubernetes cluster, in one namespace. All functions throw {@link ClusterError}. */
export type ClusterApi = {
  namespace: string;
  list<K extends Kind>(kind: K, labelSelector: string): Promise<ObjectList<K>>;
  /** Calls `onEvent` for every change after a version. Resolves when the server ends the watch. */
  watch<K extends Kind>(kind: K, options: WatchOptions, onEvent: (event: WatchEvent<K>) => void): Promise<void>;
  /** Applies an object (server-side apply), and returns it as the cluster has stored it. */
  apply<K extends WrittenKind>(object: ClusterObject<K>): Promise<ClusterObject<K>>;
  /**
   * Deletes an object. It stays, with a deletion timestamp, until the cluster has deleted its dependents. Does nothing if
   * it does not exist.
   */
  delete(kind: WrittenKind, name: string): Promise<void>;
  /** Returns the lines of a container's log, each with the time when it was written. */
  logs(pod: string, options: LogOptions, signal: AbortSignal): AsyncIterable<{ time: string; text: string }>;
};

/** A request that the API server refused or did not answer. `status` is 0 without an answer. */
export class ClusterError extends Error {
  readonly status: number;
  /** The cause in Kubernetes' API, such as `Forbidden`. */
  readonly reason: string;
  /** Seconds that the server asks to wait before the next attempt; null if it does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, reason: string, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = "ClusterError";
    this.status = status;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns a message for the owners of the deployment that says why the cluster refused a request. */
export function describeClusterError(error: unknown, namespace: string): string {
  if (!(error instanceof ClusterError)) return "The request to the cluster failed.";
  const { status, reason, message } = error;
  if (status === 0) return `The cluster cannot be reached: ${message}`;
  if (status === 401) return "The cluster does not accept the credentials of this server.";
  if (status === 403) {
    if (/exceeded quota/.test(message)) return `The quota of the namespace ${namespace} is used up: ${message}`;
    return `The cluster does not allow it: ${message}`;
  }
  if (status === 404 && /namespaces? "/.test(message))
    return `The namespace ${namespace} does not exist in the cluster.`;
  if (status === 422 || status === 400) return `The cluster does not accept the deployment: ${message}`;
  if (status === 429) return "The cluster receives too many requests. The server tries again.";
  if (status >= 500)
    return `The cluster reports an internal error (${status}${reason ? ` ${reason}` : ""}). The server tries again.`;
  return `The cluster refused the deployment: ${message}`;
}
